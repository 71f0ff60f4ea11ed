# SPDX-FileCopyrightText: The gpuenv authors
# SPDX-License-Identifier: Apache-2.0
"""Figures as text."""


def significant(value, digits=3):
    """Writes a number with so many significant digits and no exponent."""
    rounded = f"{value:.{digits - 1}e}"
    decimals = max(0, digits - 1 - int(rounded.split("e")[1]))
    return f"{float(rounded):.{decimals}f}"


def value_text(figure, value):
    """Writes a figure's value: a ratio with three digits, a difference in ns with two decimals."""
    return significant(value) if figure.compare == "ratio" else f"{value + 0.0:.2f} ns".replace("-0.00 ", "0.00 ")


def interval_text(figure, interval):
    """Writes an interval's two ends."""
    return " to ".join(value_text(figure, end) for end in interval) if interval else "-"


def target_text(figure):
    """Writes a figure's target."""
    if not figure.has_target:
        return "-"
    bound = f"at least {figure.at_least:g}" if figure.at_least is not None else f"at most {figure.at_most:g}"
    unit = " ns" if figure.compare == "difference_ns" else ""
    return bound + unit + (", by the interval" if figure.hold_by == "interval" else "")


def series_cells(figure, series):
    """Returns the three cells of a series: median, interval, rounds."""
    if series is None:
        return ["-", "-", "-"]
    return [value_text(figure, series.median), interval_text(figure, series.interval), str(series.rounds)]


def text_table(results):
    """Returns the plain-text table, where a figure of several benchmarks is followed by each of them."""
    lines = [["figure", "median", "95% interval", "rounds", "target", "result"]]
    for result in results:
        figure = result.figure
        lines.append([figure.id, *series_cells(figure, result.counts), target_text(figure), result.status])
        if len(figure.benchmarks) > 1:
            lines.extend(["  " + item.benchmark, *series_cells(figure, item), "", ""] for item in result.series)
    widths = [max(len(line[column]) for line in lines) for column in range(len(lines[0]))]
    return "\n".join("  ".join(cell.ljust(width) for cell, width in zip(line, widths)).rstrip() for line in lines)
