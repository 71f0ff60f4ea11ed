// SPDX-FileCopyrightText: The gpuenv authors
// SPDX-License-Identifier: Apache-2.0
// A whole process, from start to end: two random 1000 x 1000 fp32 matrices, their product on the GPU, verification
// against the CPU, print. gpuenv's command against a program that calls cuBLAS and, with --peers=torch, PyTorch.
#include "support/arguments.hpp"
#include "support/child.hpp"
#include "support/context.hpp"
#include "support/rounds.hpp"

#include <iostream>
#include <stdexcept>

namespace {

using namespace gpuenv_bench;

/// Runs it once, so that its files are in the page cache, and insists that it verifies its product.
contender program(std::string name, std::vector<std::string> command) {
  const auto run = [command = std::move(command)] {
    const finished_child child = run_to_end(command);
    if (child.exit_code != 0 || child.output.find("verified yes") == std::string::npos) {
      throw std::runtime_error{command.front() + " ended with " + std::to_string(child.exit_code) + ": " +
                               child.output};
    }
    return child.seconds;
  };
  run();
  return {std::move(name), run};
}

}  // namespace

int main(int argc, char** argv) {
  const arguments ours = parse_arguments(argc, argv);
  add_context();
  const std::vector<std::string> command{GPUENV_COMMAND, "matmul", "1000",        "--device", "cuda", "--repeat", "1",
                                         "--verify",     "full",   "--verify-on", "cpu"};
  const std::string torch_program = std::string{GPUENV_SOURCE_DIR} + "/bench/peers/torch_matmul1000.py";
  add_rounds(
      {.name = "start/matmul1000",
       .rounds = ours.rounds,
       .prepare =
           [=] {
             std::vector<contender> all{program("gpuenv", command), program("cublas_program", {GPUENV_CUBLAS_PROGRAM})};
             if (ours.wants("torch")) all.push_back(program("torch", {ours.python, torch_program}));
             return all;
           },
       .facts = {}});
  return run_benchmarks();
}
