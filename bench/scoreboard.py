#!/usr/bin/env python3
# SPDX-FileCopyrightText: The gpuenv authors
# SPDX-License-Identifier: Apache-2.0
"""Computes gpuenv's scoreboard from the raw results of its benchmarks, each time anew.

    python3 bench/scoreboard.py                  the table: figure, median, interval, rounds, target, result
    python3 bench/scoreboard.py --check          fails on a missed target, a raw file that is missing or unfit, or a
                                                 README whose block is not what the raw files give
    python3 bench/scoreboard.py --markdown       the README's block
    python3 bench/scoreboard.py --write-readme   puts that block into the README

bench/targets.json names the record (a folder in bench/results), its raw files and the figures. Raw files are Google
Benchmark's JSON as it was written. A row of run_type "iteration" is one round in which all contenders ran in turn;
`<contender>_s` is a contender's time for one operation in seconds.

Exit status: 0 done; 1 the check failed, or the record cannot be used; 2 bad arguments, targets or README.
"""

import argparse
import sys
from pathlib import Path

from board.errors import InputError, RecordError
from board.figures import compute_all, load_targets
from board.raw_results import load_record
from board.readme_block import markdown_block, readme_problems, write_readme
from board.text import series_cells, target_text, text_table

ROOT = Path(__file__).resolve().parent.parent


def missed_text(result):
    """Says which target was missed, and by what."""
    figure = result.figure
    median, interval, rounds = series_cells(figure, result.counts)
    return (f"{figure.id} is missed: {median} (95% interval {interval}, {rounds} rounds of {result.counts.benchmark}), "
            f"expected {target_text(figure)}")


def parse_arguments(arguments):
    """Reads the command line; argparse leaves with status 2 where it is wrong."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n", maxsplit=1)[0])
    mode = parser.add_mutually_exclusive_group()
    mode.add_argument("--check", action="store_true",
                      help="fail on a missed target, an unfit raw file, or a README that differs")
    mode.add_argument("--markdown", action="store_true", help="print the README's block")
    mode.add_argument("--write-readme", action="store_true", help="put the block into the README")
    parser.add_argument("--targets", type=Path, default=ROOT / "bench" / "targets.json", metavar="FILE")
    parser.add_argument("--record", type=Path, metavar="FOLDER", help="instead of the record that the targets name")
    parser.add_argument("--readme", type=Path, default=ROOT / "README.md", metavar="FILE")
    return parser.parse_args(arguments)


def finish_with_block(options, block):
    """Compares, prints or writes the README's block, and returns what is wrong with the README."""
    if options.check:
        return readme_problems(options.readme, block)
    if options.markdown:
        print(block, end="")
    else:
        write_readme(options.readme, block)
        print(f"The block of {options.readme} is written.")
    return []


def run(options):
    """Does what the options ask for, and returns what is wrong."""
    targets = load_targets(options.targets)
    record = load_record(options.record or ROOT / "bench" / "results" / targets.record, targets.files)
    results, problems = compute_all(targets, record)
    is_about_block = options.markdown or options.write_readme
    if not is_about_block:
        print(text_table(results))
    if (is_about_block or options.check) and not problems:
        try:
            problems += finish_with_block(options, markdown_block(targets, record, results))
        except RecordError as problem:
            problems.append(str(problem))
    if options.check:
        problems += [missed_text(result) for result in results if result.status == "missed"]
    return problems


def main(arguments=None):
    """Runs the program and returns its exit status."""
    options = parse_arguments(arguments)
    try:
        problems = run(options)
    except InputError as problem:
        print(f"scoreboard: {problem}", file=sys.stderr)
        return 2
    except RecordError as problem:
        problems = [str(problem)]
    for problem in problems:
        print(f"scoreboard: {problem}", file=sys.stderr)
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
