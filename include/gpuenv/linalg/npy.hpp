// SPDX-FileCopyrightText: The gpuenv authors
// SPDX-License-Identifier: Apache-2.0
// NumPy's .npy files (format 1.0 to 3.0): two-dimensional float32 and float64, C and Fortran order, little-endian.
//   auto a = read_npy("a.npy");   write_npy("c.npy", c.view());
#pragma once

#include <gpuenv/linalg/host_matrix.hpp>

#include <filesystem>
#include <variant>

namespace gpuenv::inline v0::linalg {

using npy_matrix = std::variant<host_matrix<float>, host_matrix<double>>;

/// Reads a matrix in the file's own type and memory order. Nothing in the file is executed, and nothing is allocated
/// before the header agrees with the size of the file.
/// @throws error naming the file and the remedy: cannot be opened, not an .npy file, cut short or longer than its
///         header says, another type (integers, complex, objects, big-endian), another number of dimensions.
[[nodiscard]] GPUENV_EXPORT npy_matrix read_npy(const std::filesystem::path& file);

/// Writes a dense matrix in its memory order, any other row by row. The file appears whole or not at all: it is written
/// beside its place and renamed. @throws error naming the file.
GPUENV_EXPORT void write_npy(const std::filesystem::path& file, host_matrix_view<const float> m);
GPUENV_EXPORT void write_npy(const std::filesystem::path& file, host_matrix_view<const double> m);

}  // namespace gpuenv::inline v0::linalg
