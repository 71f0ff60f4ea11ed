#!/usr/bin/env python3
# SPDX-FileCopyrightText: The gpuenv authors
# SPDX-License-Identifier: Apache-2.0
"""Draws the pictures of a record from its raw files: matmul.svg and roofline.svg, and both as PNG.

    python3 bench/plot.py bench/results/nvidia-h200/<commit7> --output docs/images

matmul shows seconds and TFLOP/s of square products against n for all contenders, with the spread between the quartiles.
roofline shows TFLOP/s against arithmetic intensity (2 n^3 operations over 3 n^2 elements, each moved once) under roofs
that were measured: the bandwidth of a copy on the device, bytes read and written, and the best rate of cuBLAS. The same
raw files and the same Matplotlib give the same bytes of SVG.

Exit status: 0 done; 2 bad arguments, an unfit record or no Matplotlib.
"""

import argparse
import math
import re
import statistics
import sys
from dataclasses import dataclass
from pathlib import Path

from board.errors import InputError, RecordError
from board.raw_results import load_record
from board.readme_block import matmul_sizes

try:
    import matplotlib
    matplotlib.use("Agg")
    from matplotlib import pyplot
    from matplotlib.ticker import FuncFormatter, NullFormatter, NullLocator
except ImportError as problem:
    print(f"plot: Matplotlib cannot be imported ({problem}): pip install matplotlib", file=sys.stderr)
    sys.exit(2)

BYTES = {"fp32": 4, "fp64": 8}
INK, MUTED, FAINT = "#1f2328", "#57606a", "#8c959f"


@dataclass(frozen=True)
class Look:
    """How a contender is drawn."""

    label: str
    color: str
    marker: str
    line: str = "-"
    width: float = 1.2
    size: float = 3.5


# Ours are broad lines, and peers narrow ones drawn over them, so that equals are seen as such.
LOOKS = {
    "resident": Look("gpuenv, GPU, resident", "#4493f8", "o", width=4.5, size=7),
    "end_to_end": Look("gpuenv, GPU, end to end", "#9ec9ff", "o", width=4.5, size=7),
    "cpu": Look("gpuenv, CPU", "#ffa657", "o", width=4.5, size=7),
    "cublas": Look("cuBLAS, resident", INK, "s", (0, (4, 2))),
    "torch": Look("PyTorch, resident", "#8250df", "^", (0, (1, 1.2))),
    "cupy": Look("CuPy, resident", "#0f7d7d", "v"),
    "eigen": Look("Eigen, all cores", "#a40e26", "D"),
    "numpy": Look("NumPy, all cores", "#6e4600", "P", (0, (4, 2))),
}
ROOF_COLORS = {"fp32": "#0a53be", "fp64": "#c2410c"}

STYLE = {
    "svg.hashsalt": "gpuenv", "font.size": 10, "axes.titlesize": 11, "axes.titleweight": "bold",
    "figure.facecolor": "white", "axes.facecolor": "white", "savefig.facecolor": "white",
    "text.color": INK, "axes.labelcolor": INK, "axes.titlecolor": INK, "xtick.color": INK, "ytick.color": INK,
    "axes.edgecolor": FAINT, "axes.spines.top": False, "axes.spines.right": False,
    "axes.grid": True, "grid.color": "#e7eaee", "grid.linewidth": 0.8, "axes.axisbelow": True,
    "legend.frameon": False, "legend.handlelength": 3.2,
}


# ---- what is drawn


@dataclass(frozen=True)
class Curve:
    """A contender's sizes with the median and the quartiles of its seconds."""

    sizes: list
    median: list
    lower: list
    upper: list


def quartiles(values):
    """Returns the lower and the upper quartile; of a single value, itself twice."""
    if len(values) == 1:
        return values[0], values[0]
    lower, _, upper = statistics.quantiles(values, n=4, method="inclusive")
    return lower, upper


def curve_of(raw, precision, contender):
    """Returns a contender's curve over the sizes where it took part, or None."""
    points = []
    for n in matmul_sizes(raw, precision):
        name = f"matmul/{precision}/{n}"
        if raw.has(name, f"{contender}_s"):
            seconds = raw.seconds(name, f"{contender}_s")
            points.append((n, statistics.median(seconds), *quartiles(seconds)))
    return Curve(*map(list, zip(*points))) if points else None


def teraflops(sizes, seconds):
    """Returns TFLOP/s of square products, 2 n^3 useful operations."""
    return [2 * n**3 / s * 1e-12 for n, s in zip(sizes, seconds)]


def intensities(sizes, precision):
    """Returns operations for each byte of compulsory traffic: 2 n^3 over the 3 n^2 elements of A, B and C."""
    return [2 * n**3 / (3 * n**2 * BYTES[precision]) for n in sizes]


def device_bandwidth(raw):
    """Returns bytes a second of the largest copy on the device, read and written, which no cache holds."""
    pattern = re.compile(r"memory/copy_on_device/(\d+)")
    sizes = [int(match[1]) for match in map(pattern.fullmatch, raw.rows) if match]
    if not sizes:
        raise RecordError(f"{raw.name} has no rows of memory/copy_on_device/<bytes>: run it again")
    name = f"memory/copy_on_device/{max(sizes)}"
    contenders = [counter for counter in ("raw_s", "gpuenv_s") if raw.has(name, counter)] or ["raw_s"]
    return 2 * max(sizes) / statistics.median(raw.seconds(name, contenders[0]))


def facts_text(raw):
    """Returns the line that says where the record was made."""
    context = raw.context
    return (f"{context['gpu']}, driver {context['driver']}, CUDA {context['cuda']}; {context['cpu']}, "
            f"{context['cpus']} CPUs; gpuenv {context['commit'][:7]}")


# ---- how it is drawn


def plain_number(value, _position=None):
    """Writes an axis label without an exponent."""
    return f"{value:g}" if value < 1e6 else f"{value:.0f}"


def seconds_label(value, _position=None):
    """Writes a power of ten of seconds with its unit."""
    for unit, scale in (("s", 1.0), ("ms", 1e3), ("µs", 1e6), ("ns", 1e9)):
        if value * scale >= 0.999:
            return f"{value * scale:g} {unit}"
    return f"{value:g} s"


def log_axes(axes):
    """Makes both axes logarithmic, without minor labels."""
    axes.set_xscale("log")
    axes.set_yscale("log")
    for axis in (axes.xaxis, axes.yaxis):
        axis.set_minor_formatter(NullFormatter())
    axes.yaxis.set_major_formatter(FuncFormatter(plain_number))


def label_sizes(axes, sizes):
    """Labels the sizes that were measured, leaving out those too near to the one before (1024 after 1000)."""
    shown = []
    for n in sizes:
        if not shown or n / shown[-1] > 1.2:
            shown.append(n)
    axes.set_xticks(shown, [str(n) for n in shown])
    axes.xaxis.set_minor_locator(NullLocator())


def draw_curve(axes, curve, look, values):
    """Draws a contender: its median as a line, the quartiles as a band. `values(sizes, seconds)` gives the heights."""
    axes.fill_between(curve.sizes, values(curve.sizes, curve.lower), values(curve.sizes, curve.upper),
                      color=look.color, alpha=0.25, linewidth=0)
    return axes.plot(curve.sizes, values(curve.sizes, curve.median), label=look.label, color=look.color,
                     linestyle=look.line, linewidth=look.width, marker=look.marker, markersize=look.size)[0]


def draw_matmul(raw):
    """Returns the figure of seconds and TFLOP/s against n, a column for each precision that was measured."""
    precisions = [precision for precision in BYTES if matmul_sizes(raw, precision)]
    if not precisions:
        raise RecordError(f"{raw.name} has no rows of matmul/fp32/<n> or matmul/fp64/<n>: run it again")
    figure, grid = pyplot.subplots(2, len(precisions), figsize=(5.6 * len(precisions), 8.2), squeeze=False,
                                   sharex="col", sharey="row", layout="constrained")
    handles = {}
    for column, precision in enumerate(precisions):
        above, below = grid[0][column], grid[1][column]
        for contender, look in LOOKS.items():
            curve = curve_of(raw, precision, contender)
            if curve:
                draw_curve(above, curve, look, lambda _, seconds: seconds)
                handles[contender] = draw_curve(below, curve, look, teraflops)
        for axes in (above, below):
            log_axes(axes)
            label_sizes(axes, matmul_sizes(raw, precision))
        above.set_title(f"C = A B, n × n, {precision}", loc="left")
        below.set_xlabel("n")
    grid[0][0].yaxis.set_major_formatter(FuncFormatter(seconds_label))
    grid[0][0].set_ylabel("time of one product (lower is better)")
    grid[1][0].set_ylabel("TFLOP/s (higher is better)")
    shown = [handles[contender] for contender in LOOKS if contender in handles]
    columns = math.ceil(len(shown) / 2) if len(shown) > 4 else len(shown)
    figure.legend(handles=shown, loc="outside upper center", ncols=columns)
    note = "medians of interleaved rounds, bands between the quartiles"
    figure.supxlabel(f"{facts_text(raw)}\n{note}", fontsize=8, color=MUTED)
    return figure


def draw_roofs(axes, bandwidth, roofs, left, right):
    """Draws the slope of the memory's bandwidth up to the highest roof, and a level for each precision."""
    highest = max(roofs.values())
    ridge = highest * 1e12 / bandwidth
    axes.plot([left, ridge], [bandwidth * left * 1e-12, highest], color=INK, linewidth=1.6)
    place, height = left * 1.03, bandwidth * left * 1e-12 * 1.15
    slope = math.degrees(math.atan(height / place))  # of y = (height / place) x, parallel to the roof on these axes
    axes.text(place, height, f"memory, measured: {bandwidth * 1e-12:.2f} TB/s", fontsize=9, rotation=slope,
              rotation_mode="anchor", transform_rotates_text=True)
    for line, (precision, roof) in enumerate(sorted(roofs.items(), key=lambda item: item[1])):
        color = ROOF_COLORS[precision]
        axes.plot([roof * 1e12 / bandwidth, right], [roof, roof], color=color, linewidth=1.6)
        axes.annotate(f"{precision}, best of cuBLAS, measured: {roof:.1f} TFLOP/s", (right, highest), fontsize=9,
                      color=color, ha="right", va="bottom", xytext=(0, 5 + 13 * line), textcoords="offset points")


def draw_points(axes, precision, curve, roof):
    """Draws ours in a precision under its roof, each point named by its n until the roof is near."""
    color, marker, side = ROOF_COLORS[precision], "os"[precision == "fp64"], 1 if precision == "fp32" else -1
    x, y = intensities(curve.sizes, precision), teraflops(curve.sizes, curve.median)
    axes.plot(x, y, color=color, marker=marker, linewidth=1.2, markersize=6, markeredgecolor="white",
              label=f"gpuenv, {precision}, operands on the GPU", zorder=4)
    named = 0
    for n, place, height in zip(curve.sizes, x, y):
        if n > 1.2 * named and height < 0.9 * roof:
            axes.annotate(str(n), (place, height), xytext=(7 * side, -3), textcoords="offset points", fontsize=8,
                          color=color, ha="left" if side > 0 else "right")
            named = n


def draw_roofline(raw, memory):
    """Returns the roofline figure."""
    cublas = {precision: curve_of(raw, precision, "cublas") for precision in BYTES}
    roofs = {precision: max(teraflops(curve.sizes, curve.median)) for precision, curve in cublas.items() if curve}
    ours = {precision: curve for precision in roofs if (curve := curve_of(raw, precision, "resident"))}
    if not ours:
        raise RecordError(f"{raw.name} has no resident_s and cublas_s, from which the roofline is drawn: "
                                     "run the benchmark on a machine with a GPU")
    places = [place for precision, curve in ours.items() for place in intensities(curve.sizes, precision)]
    figure, axes = pyplot.subplots(figsize=(8.4, 5.4), layout="constrained")
    log_axes(axes)
    draw_roofs(axes, device_bandwidth(memory), roofs, min(places) / 4, max(places) * 1.6)
    for precision, curve in ours.items():
        draw_points(axes, precision, curve, roofs[precision])
    axes.xaxis.set_major_formatter(FuncFormatter(plain_number))
    axes.xaxis.set_minor_locator(NullLocator())
    axes.set_ylim(top=max(roofs.values()) * 2.6)
    axes.set_xlabel("operations for each byte that A, B and C hold")
    axes.set_ylabel("TFLOP/s")
    axes.set_title("Matrix products under the measured roofs; numbers are n", loc="left")
    axes.legend(loc="lower right")
    figure.supxlabel(facts_text(raw), fontsize=8, color=MUTED)
    return figure


def save(figure, folder, name):
    """Writes a figure as SVG, without a date, and as PNG."""
    figure.savefig(folder / f"{name}.svg", metadata={"Date": None})
    figure.savefig(folder / f"{name}.png", dpi=160, metadata={"Software": None})
    pyplot.close(figure)
    print(f"{folder / name}.svg and .png are written.")


def run(options):
    """Draws both pictures."""
    needed = ("gpu", "driver", "cuda", "cpu", "cpus")
    record = load_record(options.record, {"matmul.json": needed, "memory.json": needed})
    if record.problems:
        raise RecordError("; ".join(record.problems))
    try:
        options.output.mkdir(parents=True, exist_ok=True)
        with matplotlib.rc_context(STYLE):
            save(draw_matmul(record.raw("matmul.json")), options.output, "matmul")
            save(draw_roofline(record.raw("matmul.json"), record.raw("memory.json")), options.output, "roofline")
    except OSError as problem:
        raise InputError(f"the folder {options.output} cannot be written: {problem}") from None


def main(arguments=None):
    """Runs the program and returns its exit status."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n", maxsplit=1)[0])
    parser.add_argument("record", type=Path, metavar="RECORD_DIR", help="folder with matmul.json and memory.json")
    parser.add_argument("--output", type=Path, required=True, metavar="DIR", help="folder of the pictures")
    try:
        run(parser.parse_args(arguments))
    except (InputError, RecordError) as problem:
        print(f"plot: {problem}", file=sys.stderr)
        return 2
    return 0


if __name__ == "__main__":
    sys.exit(main())
