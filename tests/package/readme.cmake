# SPDX-FileCopyrightText: The gpuenv authors
# SPDX-License-Identifier: Apache-2.0
# The README's first program is examples/00_ten_lines.cpp, which is built and run: SOURCE_DIR.
file(READ "${SOURCE_DIR}/README.md" readme)
file(READ "${SOURCE_DIR}/examples/00_ten_lines.cpp" example)
string(REGEX REPLACE "^(//[^\n]*\n)+" "" program "${example}")
string(FIND "${readme}" "${program}" place)
if(place EQUAL -1)
  message(FATAL_ERROR "README.md does not show examples/00_ten_lines.cpp as it is:\n${program}")
endif()
