// SPDX-FileCopyrightText: The gpuenv authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

/// The tiled matrix product that the plain product, the full comparison and Freivalds' check all run on.
///
/// A block of threads makes one tile of the result. Taken alone, each element of the tile needs a row of the left
/// factor and a column of the right one from global memory; taken together, the elements share them. So the block walks
/// along K in steps of `depth`: it copies a slab of each factor to shared memory once, and every value is then read
/// from there by a whole row or column of the tile. Each thread owns a patch of elements in registers, commonly 4 x 4,
/// so that 8 reads from shared memory feed 16 multiply-adds.
///
///                     tile_cols
///             K      +--------+ depth     right.transposed()
///                    +--------+
///         +--+----   +--------+
///    tile |  |       | thread |
///    rows |  | left  | patches|           sum_ij += left_ik * right_kj, k in order
///         +--+----   +--------+
///
/// The order of k is the same for every element and every shape of tile, so a sum has the same bits wherever in the
/// matrix, in whatever layout and on whatever GPU it is made, and the same as a loop over k on the CPU.

#include "double_double.hpp"
#include "groups.hpp"
#include "strided.hpp"

#include <cstdint>

namespace gpuenv::kernels {

/// A tile whose threads own thread_rows x thread_cols elements each: fewer where a sum takes many registers.
template <int tile_rows, int tile_cols, int thread_rows = 4, int thread_cols = 4>
struct tile_shape {
  static constexpr int rows = tile_rows, cols = tile_cols;
  static constexpr int patch_rows = thread_rows, patch_cols = thread_cols;
  static constexpr int depth = 16;  ///< of K in shared memory at a time
  static constexpr int threads_across = cols / patch_cols, threads = rows / patch_rows * threads_across;
};

/// A thread's sums.
template <class Shape, class Sum>
using patch = Sum[Shape::patch_rows][Shape::patch_cols];

/// Tiles that cover a matrix, those at its lower and right edges perhaps in part.
template <class Shape>
GPUENV_HD constexpr std::int64_t tile_count(std::int64_t rows, std::int64_t cols) {
  return groups_of(Shape::rows, rows) * groups_of(Shape::cols, cols);
}

/// Calls use(first_row, first_col) for each tile of the calling block: tiles are numbered row by row and dealt out to
/// the blocks in turn, so that a grid of any size covers a matrix of any size.
template <class Shape, class Use>
__device__ inline void for_each_tile(std::int64_t rows, std::int64_t cols, Use use) {
  const std::int64_t tiles = tile_count<Shape>(rows, cols), tiles_across = groups_of(Shape::cols, cols);
  for (std::int64_t tile = blockIdx.x; tile < tiles; tile += gridDim.x) {
    use(tile / tiles_across * Shape::rows, tile % tiles_across * Shape::cols);
  }
}

/// A slab of one factor in shared memory, k first, because at each k a thread reads neighbouring rows.
///
/// Each line is 16 bytes longer than its content. Where a slab is filled along k, neighbouring threads write to the
/// same place of consecutive lines; unpadded lines would put all of them in the same memory bank. 16 bytes keep the
/// lines aligned, so that the compiler may read a patch's four values at once.
template <class Value, int length, int depth>
struct slab {
  alignas(16) Value at[depth][length + (sizeof(Value) < 16 ? 16 / sizeof(Value) : 1)];
};

template <class Shape, class Left, class Right = Left>
struct tile_storage {
  slab<Left, Shape::rows, Shape::depth> left;
  slab<Right, Shape::cols, Shape::depth> right;
};

/// Copies rows first_row... and columns first_k... of an operand to shared memory; what lies outside becomes zero,
/// which adds nothing. Neighbouring threads fetch neighbouring addresses: along k or along rows, as the operand lies in
/// memory. One element a thread and load: addresses may be odd, so nothing wider can be assumed.
template <int threads, class Value, int length, int depth, class Operand>
__device__ inline void fill(slab<Value, length, depth>& target, const Operand& operand, std::int64_t first_row,
                            std::int64_t first_k) {
  static_assert(length * depth % threads == 0, "every thread copies the same number of elements");
  const bool along_k = operand.is_row_major();
#pragma unroll
  for (int step = 0; step < length * depth / threads; ++step) {
    const int element = static_cast<int>(threadIdx.x) + step * threads;
    const int i = along_k ? element / depth : element % length, k = along_k ? element % depth : element / length;
    const bool inside = first_row + i < operand.rows && first_k + k < operand.cols;
    target.at[k][i] = inside ? static_cast<Value>(operand(first_row + i, first_k + k)) : Value{};
  }
}

/// First row and column, within the tile, of the calling thread's patch.
template <class Shape>
__device__ inline int patch_row() {
  return static_cast<int>(threadIdx.x) / Shape::threads_across * Shape::patch_rows;
}
template <class Shape>
__device__ inline int patch_col() {
  return static_cast<int>(threadIdx.x) % Shape::threads_across * Shape::patch_cols;
}

/// Adds to each sum of the thread's patch the products of the tile at (first_row, first_col), in order of k.
///
/// The right factor comes transposed: both operands are then "rows by K" and one loading routine serves both. An
/// operand is anything with rows, cols, is_row_major() and (row, k). Every thread of the block must call this.
template <class Shape, class Sum, class Left, class Right, class LeftOperand, class RightOperand>
__device__ inline void add_tile_product(patch<Shape, Sum>& sum, tile_storage<Shape, Left, Right>& storage,
                                        const LeftOperand& left, const RightOperand& right_transposed,
                                        std::int64_t first_row, std::int64_t first_col) {
  const int row = patch_row<Shape>(), col = patch_col<Shape>();

  for (std::int64_t first_k = 0; first_k < left.cols; first_k += Shape::depth) {
    fill<Shape::threads>(storage.left, left, first_row, first_k);
    fill<Shape::threads>(storage.right, right_transposed, first_col, first_k);
    __syncthreads();  // the slabs are complete before anyone reads them

    // The last slab may be short. Zeros beyond K would not change a sum of products, but a sum may count its steps.
    const int steps = static_cast<int>(left.cols - first_k < Shape::depth ? left.cols - first_k : Shape::depth);
#pragma unroll 4
    for (int k = 0; k < steps; ++k) {
      Left left_values[Shape::patch_rows];
      Right right_values[Shape::patch_cols];
#pragma unroll
      for (int i = 0; i < Shape::patch_rows; ++i) left_values[i] = storage.left.at[k][row + i];
#pragma unroll
      for (int j = 0; j < Shape::patch_cols; ++j) right_values[j] = storage.right.at[k][col + j];
#pragma unroll
      for (int i = 0; i < Shape::patch_rows; ++i) {
#pragma unroll
        for (int j = 0; j < Shape::patch_cols; ++j) accumulate(sum[i][j], left_values[i], right_values[j]);
      }
    }
    __syncthreads();  // everyone has read them before they are overwritten
  }
}

/// Calls use(row, col, sum) for each element of the thread's patch that lies inside a matrix of rows x cols.
template <class Shape, class Sum, class Use>
__device__ inline void for_each_in_patch(const patch<Shape, Sum>& sum, std::int64_t first_row, std::int64_t first_col,
                                         std::int64_t rows, std::int64_t cols, Use use) {
#pragma unroll
  for (int i = 0; i < Shape::patch_rows; ++i) {
#pragma unroll
    for (int j = 0; j < Shape::patch_cols; ++j) {
      const std::int64_t row = first_row + patch_row<Shape>() + i, col = first_col + patch_col<Shape>() + j;
      if (row < rows && col < cols) use(row, col, sum[i][j]);
    }
  }
}

}  // namespace gpuenv::kernels
