# SPDX-FileCopyrightText: The gpuenv authors
# SPDX-License-Identifier: Apache-2.0
"""Raw results: Google Benchmark's JSON as it was written, one row a round, and the record that holds them."""

import difflib
import json
import math
import re
from dataclasses import dataclass
from pathlib import Path

from board.errors import RecordError

SAME_IN_ALL_FILES = ("commit", "gpu", "gpu_uuid", "driver", "cuda", "cpu", "cpus")
# What Google Benchmark appends to a benchmark's name.
NAME_SUFFIX = re.compile(
    r"(min_time|min_warmup_time|iterations|repeats|threads):[^/]*|process_time|manual_time|real_time")


@dataclass(frozen=True)
class RawFile:
    """One file of Google Benchmark's JSON: its name, its context, and its rows by benchmark."""

    name: str
    context: dict
    rows: dict

    def rounds(self, benchmark):
        """Returns the rows of a benchmark, one a round, having checked that none is missing, double or in error."""
        rows = self.rows.get(benchmark)
        if not rows:
            near = difflib.get_close_matches(benchmark, self.rows, n=1, cutoff=0)
            hint = f"; the nearest name in it is {near[0]}" if near else ""
            raise RecordError(f"{self.name} has no rows of {benchmark}{hint}: run this benchmark again")
        names = sorted({row["name"] for row in rows})
        if len(names) > 1:
            raise RecordError(f"{self.name}: {benchmark} may be any of {', '.join(names)}: keep one of them")
        for row in rows:
            if row.get("error_occurred") or row.get("skipped"):
                why = " ".join(str(row.get("error_message") or row.get("skip_message") or "no message").split())
                raise RecordError(f"{self.name}: {benchmark} did not run in every round ({why}): run it again")
        indices = [row["repetition_index"] for row in rows if "repetition_index" in row]
        expected = rows[0].get("repetitions") or len(rows)
        if len(rows) != expected or len(set(indices)) != len(indices):
            raise RecordError(f"{self.name}: {benchmark} has {len(rows)} rows with {len(set(indices))} different "
                              f"indices, expected {expected} of each: raw files are kept as they were written")
        return rows

    def seconds(self, benchmark, counter):
        """Returns a contender's seconds for one operation, one number a round."""
        return [self._positive(row, benchmark, counter) for row in self.rounds(benchmark)]

    def has(self, benchmark, counter):
        """Says whether any round of the benchmark has the counter; seconds() then insists on all of them."""
        return any(counter in row for row in self.rows.get(benchmark, ()))

    def _positive(self, row, benchmark, counter):
        where = f"{self.name}: {benchmark}, round {row.get('repetition_index', '?')}"
        if counter not in row:
            present = ", ".join(key for key in row if key.endswith("_s")) or "none"
            raise RecordError(f"{where} has no counter {counter} (counters of seconds there: {present}): "
                              "was this contender absent from the machine?")
        value = row[counter]
        if not is_number(value) or value <= 0:
            raise RecordError(f"{where}: {counter} is {value}, expected a finite time above 0: run it again")
        return float(value)


def is_number(value):
    """Says whether a JSON value is a finite number; true and false are none."""
    return isinstance(value, (int, float)) and not isinstance(value, bool) and math.isfinite(value)


def benchmark_name(full_name):
    """Returns a row's name without what Google Benchmark appended: matmul/fp32/1000/iterations:1/manual_time is
    matmul/fp32/1000."""
    parts = full_name.split("/")
    while len(parts) > 1 and NAME_SUFFIX.fullmatch(parts[-1]):
        parts.pop()
    return "/".join(parts)


def load_json(path, error, what):
    """Returns the JSON object in a file, or raises `error` with a sentence that names the file."""
    try:
        value = json.loads(Path(path).read_text(encoding="utf-8"))
    except FileNotFoundError:
        raise error(f"{what} {path} is missing") from None
    except (OSError, UnicodeDecodeError) as problem:
        raise error(f"{what} {path} cannot be read: {problem}") from None
    except ValueError as problem:
        raise error(f"{what} {path} is not JSON: {problem}") from None
    if not isinstance(value, dict):
        raise error(f"{what} {path} holds a {type(value).__name__}, expected an object")
    return value


def load_raw(path):
    """Reads one raw file; rows that are not rounds (means, medians, deviations) are left out."""
    document = load_json(path, RecordError, "the raw file")
    context, benchmarks = document.get("context"), document.get("benchmarks")
    if not isinstance(context, dict) or not isinstance(benchmarks, list):
        raise RecordError(f"the raw file {path} has no context and benchmarks: it is not Google Benchmark's JSON")
    rows = {}
    for row in benchmarks:
        if not isinstance(row, dict) or not isinstance(row.get("name"), str):
            raise RecordError(f"the raw file {path} has a row without a name: raw files are kept as they were written")
        if row.get("run_type") == "iteration":
            rows.setdefault(benchmark_name(row["name"]), []).append(row)
    return RawFile(Path(path).name, context, rows)


def check_context(raw, commit_name, needed):
    """Checks that a raw file comes from a clean tree of the record's commit and names its surroundings."""
    for key in ("commit", *needed):
        value = raw.context.get(key)
        if not isinstance(value, str) or value.strip() in ("", "unknown") or value.startswith("none: "):
            raise RecordError(f'{raw.name}: the context has no "{key}" (it is {value!r}): '
                              "results without their surroundings are no record, run the benchmark again")
    commit = raw.context["commit"]
    if not re.fullmatch(r"[0-9a-f]{40}", commit):
        remedy = "commit your changes and measure again" if commit.endswith("-dirty") else "measure from a git checkout"
        raise RecordError(f"{raw.name}: the commit is {commit}, expected a clean one of 40 digits: {remedy}")
    if not re.fullmatch(r"[0-9a-f]{7,40}", commit_name) or not commit.startswith(commit_name):
        raise RecordError(f"{raw.name}: measured at commit {commit}, but the record's folder is named {commit_name}: "
                          f"move the file into a folder named {commit[:7]}, or measure again")


def check_same_machine(raws, files):
    """Checks that the raw files agree on commit, GPU, driver, CUDA and CPU, as far as each must have them."""
    for key in SAME_IN_ALL_FILES:
        found = {raw.context[key]: raw.name for raw in raws if key == "commit" or key in files[raw.name]}
        if len(found) > 1:
            (one, first), (other, second) = list(found.items())[:2]
            raise RecordError(f'"{key}" is {one} in {first} and {other} in {second}: '
                              "a record comes from one machine and commit, measure all of it again")


@dataclass(frozen=True)
class Record:
    """A record folder: its name as the README shows it, its usable raw files, and what was wrong with the others."""

    name: str
    raws: dict
    problems: list

    def raw(self, file):
        """Returns a usable raw file."""
        if file not in self.raws:
            raise RecordError(f"the record {self.name} has no usable {file}: name it among the targets' \"files\"")
        return self.raws[file]


def load_record(folder, files):
    """Reads the raw files of a record. `files` gives for each file the context keys that it must have."""
    folder = Path(folder)
    if not folder.is_dir():
        raise RecordError(f"the record {folder} is no folder: make it with the benchmarks, and name it in "
                          'bench/targets.json ("record": "<device>/<first 7 digits of the commit>") or with --record')
    raws, problems = {}, []
    for file, needed in files.items():
        try:
            raw = load_raw(folder / file)
            check_context(raw, folder.resolve().name, needed)
            raws[file] = raw
        except RecordError as problem:
            problems.append(str(problem))
    try:
        check_same_machine(list(raws.values()), files)
    except RecordError as problem:
        problems.append(str(problem))
    return Record(f"bench/results/{folder.resolve().parent.name}/{folder.resolve().name}", raws, problems)
