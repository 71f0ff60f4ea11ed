// SPDX-FileCopyrightText: The gpuenv authors
// SPDX-License-Identifier: Apache-2.0
#include "support/arguments.hpp"

#include <benchmark/benchmark.h>

#include <algorithm>
#include <charconv>
#include <cstdlib>
#include <iostream>
#include <sstream>
#include <string_view>

namespace gpuenv_bench {
namespace {

bool take(std::string_view argument, std::string_view name, std::string& value) {
  if (!argument.starts_with(name)) return false;
  value = argument.substr(name.size());
  return true;
}

[[noreturn]] void refuse(const std::string& what) {
  std::cerr << what << "\nours: --rounds=N --peers=torch,cupy,numpy --python=COMMAND --cpu-routes; others: --help\n";
  std::exit(2);
}

int positive_number(const std::string& text) {
  int value = 0;
  const auto [end, status] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (status != std::errc{} || end != text.data() + text.size() || value < 1) {
    refuse("--rounds is '" + text + "', expected a number of 1 or more");
  }
  return value;
}

std::vector<std::string> known_peers(const std::string& text) {
  std::vector<std::string> peers;
  std::istringstream list{text};
  for (std::string peer; std::getline(list, peer, ',');) {
    if (peer != "torch" && peer != "cupy" && peer != "numpy") {
      refuse("--peers names '" + peer + "', expected torch, cupy, numpy");
    }
    peers.push_back(peer);
  }
  return peers;
}

}  // namespace

bool arguments::wants(const std::string& peer) const { return std::ranges::find(peers, peer) != peers.end(); }

arguments parse_arguments(int& argc, char** argv) {
  arguments ours;
  int kept = 1;
  for (int i = 1; i < argc; ++i) {
    std::string value;
    if (take(argv[i], "--rounds=", value)) {
      ours.rounds = positive_number(value);
    } else if (take(argv[i], "--peers=", value)) {
      ours.peers = known_peers(value);
    } else if (take(argv[i], "--python=", value)) {
      ours.python = value;
    } else if (std::string_view{argv[i]} == "--cpu-routes") {
      ours.cpu_routes = true;
    } else {
      argv[kept++] = argv[i];
    }
  }
  argc = kept;
  benchmark::Initialize(&argc, argv);
  if (benchmark::ReportUnrecognizedArguments(argc, argv)) refuse("unknown argument");
  return ours;
}

}  // namespace gpuenv_bench
