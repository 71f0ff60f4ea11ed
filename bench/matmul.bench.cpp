// SPDX-FileCopyrightText: The gpuenv authors
// SPDX-License-Identifier: Apache-2.0
// C = A B of square matrices: on the GPU (operands there, and from and to host memory), by bare cuBLAS, by Eigen on all
// cores, by gpuenv on the CPU, and by the peers of --peers, in interleaved rounds.
//   gpuenv_bench_matmul --peers=torch,cupy,numpy --benchmark_out=matmul.json --benchmark_out_format=json
#include <gpuenv/gpuenv.hpp>
#include "gpu_contenders.hpp"
#include "peers/eigen_product.hpp"
#include "support/arguments.hpp"
#include "support/context.hpp"
#include "support/rounds.hpp"
#include "support/worker.hpp"

#include <algorithm>
#include <iostream>

namespace {

using namespace gpuenv_bench;
namespace linalg = gpuenv::linalg;

using peer_list = std::vector<std::shared_ptr<worker>>;

/// Starts the peers that were asked for, names them in the context and keeps those that are there.
peer_list start_peers(const arguments& ours) {
  peer_list peers;
  for (const std::string& name : ours.peers) {
    auto peer = std::make_shared<worker>(
        std::vector<std::string>{ours.python, std::string{GPUENV_SOURCE_DIR} + "/bench/peers/" + name + "_worker.py"});
    add_fact("peer_" + name, (peer->is_ready() ? "" : "absent: ") + peer->name());
    if (!peer->is_ready()) std::cerr << "peer " << name << " is absent: " << peer->name() << '\n';
    peers.push_back(peer->is_ready() ? std::move(peer) : nullptr);
  }
  return peers;
}

template <class F>
contender wall_timed(std::string name, F call) {
  call();
  const int calls = calls_for_batch(wall_seconds(1, call));
  return {std::move(name), [calls, call] { return wall_seconds(calls, call); }, true};
}

template <class T>
std::vector<contender> contenders(std::int64_t n, const arguments& ours, const peer_list& peers) {
  const auto host = std::make_shared<product_operands<T>>(product_operands<T>{
      linalg::random_matrix<T>(n, n, {.seed = 1}), linalg::random_matrix<T>(n, n, {.seed = 1, .sequence = 1}), {n, n}});
  std::vector<contender> all;
#if GPUENV_HAS_CUDA
  all = gpu_contenders(host);
#endif
  all.push_back(wall_timed("eigen", [host, n] {
    eigen_product(host->a.view().data(), host->b.view().data(), host->c.view().data(), n, n, n);
  }));
  const auto on_cpu = [host](linalg::product_route route) {
    return linalg::matmul(host->a.view(), host->b.view(), host->c.view(),
                          {.device = gpuenv::device_choice::cpu(), .route = route});
  };
  const auto add_cpu = [&](std::string name, linalg::product_route route) {
    all.push_back(wall_timed(std::move(name), [on_cpu, route] { on_cpu(route); }));
  };
  add_cpu("cpu", linalg::product_route::automatic);
  if (ours.cpu_routes) {
    add_cpu("cpu_eigen", linalg::product_route::eigen);
    add_cpu("cpu_openblas", linalg::product_route::openblas);
  }
  const std::string request = std::string{"mm "} + (sizeof(T) == 4 ? "fp32 " : "fp64 ") + std::to_string(n) + ' ' +
                              std::to_string(n) + ' ' + std::to_string(n) + ' ';
  for (std::size_t i = 0; i < peers.size(); ++i) {
    if (peers[i] == nullptr) continue;
    const auto peer = peers[i];
    peer->ask(request + '1');
    const int calls = calls_for_batch(peer->ask(request + '1'));
    all.push_back({ours.peers[i], [peer, line = request + std::to_string(calls)] { return peer->ask(line); },
                   ours.peers[i] == "numpy"});
  }
  return all;
}

template <class T>
void add(std::int64_t n, const arguments& ours, const peer_list& peers) {
  constexpr std::int64_t large = 4096;  // above it a round takes many seconds, and no figure is made of it
  const int rounds = n > large ? std::min(ours.rounds, 5) : ours.rounds;
  const auto size = static_cast<double>(n);
  add_rounds({.name = std::string{"matmul/"} + (sizeof(T) == 4 ? "fp32/" : "fp64/") + std::to_string(n),
              .rounds = rounds,
              .prepare = [n, ours, peers] { return contenders<T>(n, ours, peers); },
              .facts = {{"m", size}, {"n", size}, {"k", size}}});
}

/// What our CPU route is on this machine.
std::string cpu_route() {
  const auto a = linalg::random_matrix<float>(512, 512);
  return linalg::matmul(a, a, {.device = gpuenv::device_choice::cpu()}).info.library;
}

}  // namespace

int main(int argc, char** argv) {
  const arguments ours = parse_arguments(argc, argv);
  add_context();
  add_fact("eigen", eigen_name());
  add_fact("gpuenv_cpu", cpu_route());
#if GPUENV_HAS_CUDA
  if (has_gpu_contenders()) add_fact("gpuenv_cublas", linalg::cublas_version());
#endif
  const peer_list peers = start_peers(ours);
  for (const std::int64_t n : {64, 128, 256, 512, 1000, 1024, 2048, 4096, 8192}) {
    add<float>(n, ours, peers);
    add<double>(n, ours, peers);
  }
  return run_benchmarks();
}
