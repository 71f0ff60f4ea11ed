# SPDX-FileCopyrightText: The gpuenv authors
# SPDX-License-Identifier: Apache-2.0
"""Figures: their definitions in bench/targets.json, and their values."""

import difflib
from dataclasses import dataclass

from board.errors import InputError, RecordError
from board.raw_results import is_number, load_json
from board.statistics_of_rounds import Series, make_series

LEAST_ROUNDS = 20
FIGURE_FIELDS = {"id", "definition", "file", "benchmark", "benchmarks", "combine", "ours", "peer", "compare",
                 "at_least", "at_most", "hold_by", "readme"}


@dataclass(frozen=True)
class Figure:
    """A figure's definition in bench/targets.json."""

    id: str
    definition: str
    file: str
    benchmarks: tuple
    ours: str
    peer: str
    compare: str
    at_least: float | None
    at_most: float | None
    hold_by: str
    readme: bool

    @property
    def has_target(self):
        """Says whether the figure can be missed; one without a target is only reported."""
        return self.at_least is not None or self.at_most is not None


@dataclass(frozen=True)
class Result:
    """A figure's value: the series that counts, and all of them."""

    figure: Figure
    counts: Series | None
    series: tuple
    status: str  # "holds", "missed", "reported", "unfit"


@dataclass(frozen=True)
class Targets:
    """What bench/targets.json says."""

    record: str
    command: str
    files: dict
    figures: tuple


def require(condition, message):
    """Raises InputError with the message unless the condition holds."""
    if not condition:
        raise InputError(message)


def parse_figure(entry, files, path):
    """Makes a Figure of its JSON object; every mistake in it is an InputError that names the figure."""
    require(isinstance(entry, dict) and isinstance(entry.get("id"), str), f'{path}: a figure without "id": {entry}')
    name = f"{path}: figure {entry['id']}"
    for key in entry:
        near = difflib.get_close_matches(key, FIGURE_FIELDS, n=1)
        hint = f', did you mean "{near[0]}"?' if near else ""
        require(key in FIGURE_FIELDS, f'{name} has the unknown field "{key}"{hint}')
    for key in ("definition", "file", "ours", "peer", "compare"):
        require(isinstance(entry.get(key), str) and entry[key], f'{name} lacks "{key}", a text')
    require(entry["file"] in files, f'{name}: "{entry["file"]}" is not among "files"')
    require(entry["compare"] in ("ratio", "difference_ns"),
            f'{name}: "compare" is "{entry["compare"]}", expected ratio or difference_ns')
    benchmarks = figure_benchmarks(entry, name)
    at_least, at_most = figure_target(entry, name)
    has_target = at_least is not None or at_most is not None
    return Figure(entry["id"], entry["definition"], entry["file"], benchmarks, entry["ours"], entry["peer"],
                  entry["compare"], at_least, at_most, figure_hold_by(entry, name),
                  bool(entry.get("readme", has_target)))


def figure_target(entry, name):
    """Returns a figure's lower and upper target, of which one at most is there."""
    for key in ("at_least", "at_most"):
        require(is_number(entry.get(key, 0)), f'{name}: "{key}" is {entry.get(key)!r}, expected a number')
    require(not ("at_least" in entry and "at_most" in entry),
            f'{name} has both "at_least" and "at_most": make it two figures')
    require(not ("at_most" in entry and "combine" in entry),
            f'{name}: the lowest of several would hide a miss of "at_most", make it one figure for each')
    return entry.get("at_least"), entry.get("at_most")


def figure_hold_by(entry, name):
    """Returns what must meet the target: the median, or the interval's end on the wrong side."""
    is_worst = entry["id"].endswith(".worst")
    hold_by = entry.get("hold_by", "interval" if is_worst else "median")
    require(hold_by in ("median", "interval"), f'{name}: "hold_by" is {hold_by!r}, expected median or interval')
    require(hold_by == "interval" or not is_worst, f"{name}: an id that ends in .worst holds by its interval")
    return hold_by


def figure_benchmarks(entry, name):
    """Returns a figure's benchmarks: one, or several of which the one with the lowest median counts."""
    require(("benchmark" in entry) != ("benchmarks" in entry), f'{name} needs one of "benchmark" and "benchmarks"')
    benchmarks = entry.get("benchmarks", [entry.get("benchmark")])
    require(isinstance(benchmarks, list) and benchmarks and all(isinstance(item, str) and item for item in benchmarks),
            f"{name}: benchmarks are texts, at least one")
    combine = entry.get("combine")
    require(combine == "lowest" if "benchmarks" in entry else combine is None,
            f'{name}: "combine" is {combine!r}, expected "lowest" beside "benchmarks" and nothing beside "benchmark"')
    return tuple(benchmarks)


def load_targets(path):
    """Reads bench/targets.json."""
    document = load_json(path, InputError, "the targets file")
    files = document.get("files")
    require(isinstance(files, dict) and files and
            all(isinstance(keys, list) and all(isinstance(key, str) for key in keys) for keys in files.values()),
            f'{path}: "files" is the object that gives for each raw file the context keys that it must have')
    for key in ("record", "command"):
        require(isinstance(document.get(key), str) and document[key], f'{path} lacks "{key}", a text')
    require(isinstance(document.get("figures"), list) and document["figures"], f'{path} lacks "figures", a list')
    figures = tuple(parse_figure(entry, files, path) for entry in document["figures"])
    ids = [figure.id for figure in figures]
    double = sorted({name for name in ids if ids.count(name) > 1})
    require(not double, f"{path}: more than one figure is called {', '.join(double)}, an id is given once")
    return Targets(document["record"], document["command"], files, figures)


def meets_target(figure, series):
    """Says whether the median, or the interval's end on the wrong side, meets the figure's target."""
    lowest, highest = (series.median, series.median) if figure.hold_by == "median" else series.interval
    return lowest >= figure.at_least if figure.at_least is not None else highest <= figure.at_most


def compute(figure, record):
    """Computes a figure from the raw file, or raises RecordError."""
    raw = record.raw(figure.file)
    series = tuple(make_series(raw, benchmark, figure) for benchmark in figure.benchmarks)
    counts = min(series, key=lambda item: item.median)
    if not figure.has_target:
        return Result(figure, counts, series, "reported")
    for item in series:
        if item.rounds < LEAST_ROUNDS:
            raise RecordError(f"{figure.file}: {item.benchmark} has {item.rounds} rounds, expected at least "
                              f"{LEAST_ROUNDS} for a figure with a target: run it with more repetitions")
    return Result(figure, counts, series, "holds" if meets_target(figure, counts) else "missed")


def compute_all(targets, record):
    """Returns the results of all figures and the problems met, those of the record among them."""
    results, problems = [], list(record.problems)
    for figure in targets.figures:
        try:
            results.append(compute(figure, record))
        except RecordError as problem:
            results.append(Result(figure, None, (), "unfit"))
            if figure.file in record.raws:  # else the record's problems say it, once
                problems.append(f"{figure.id}: {problem}")
    return results, problems
