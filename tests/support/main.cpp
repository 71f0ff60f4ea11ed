// SPDX-FileCopyrightText: The gpuenv authors
// SPDX-License-Identifier: Apache-2.0
#include "support/session.hpp"

int main(int argc, char** argv) { return gpuenv::test::run_session(argc, argv); }
