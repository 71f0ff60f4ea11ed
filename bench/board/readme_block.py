# SPDX-FileCopyrightText: The gpuenv authors
# SPDX-License-Identifier: Apache-2.0
"""The README's block, every number of which comes from the raw files."""

import difflib
import re
import statistics
from pathlib import Path

from board.errors import InputError, RecordError
from board.figures import LEAST_ROUNDS
from board.raw_results import is_number
from board.statistics_of_rounds import compare
from board.text import interval_text, significant, target_text, value_text

BEGIN = "<!-- scoreboard:begin -->"
END = "<!-- scoreboard:end -->"
PEERS = ("eigen", "peer_torch", "peer_cupy", "peer_numpy")  # keys of the context that name libraries compared with


def markdown_table(header, alignment, rows):
    """Returns a Markdown table's lines."""
    lines = ([cell.replace("|", "\\|") for cell in cells] for cells in (header, alignment, *rows))
    return ["| " + " | ".join(cells) + " |" for cells in lines]


def figures_table(results):
    """Returns the table of the main figures: those with a target and those marked for the README."""
    rows = []
    for result in results:
        if result.figure.readme:
            figure, counts = result.figure, result.counts
            rows.append([f"`{figure.id}`", figure.definition, value_text(figure, counts.median),
                         interval_text(figure, counts.interval), target_text(figure), result.status])
    return markdown_table(["figure", "what it is", "median", "95% interval", "target", "result"],
                          ["---", "---", "---:", "---:", "---", "---"], rows)


def rate(n, seconds):
    """Returns TFLOP/s of a square product, 2 n^3 useful operations, at the median of the seconds."""
    return 2 * n**3 / statistics.median(seconds) * 1e-12


def matmul_sizes(raw, precision):
    """Returns the sizes of the square products in a raw file."""
    pattern = re.compile(rf"matmul/{precision}/(\d+)")
    return sorted(int(match[1]) for match in map(pattern.fullmatch, raw.rows) if match)


def matmul_row(raw, precision, n):
    """Returns a row of the table of products; what the machine lacked is a dash, and few rounds are said."""
    name = f"matmul/{precision}/{n}"
    contenders = [key for key in ("resident", "end_to_end", "cublas", "eigen") if raw.has(name, f"{key}_s")]
    seconds = {key: raw.seconds(name, f"{key}_s") for key in contenders}

    def rate_cell(key):
        return significant(rate(n, seconds[key])) if key in seconds else "-"

    def ratio_cell(ours, peer, scale=1.0):
        if ours not in seconds or peer not in seconds:
            return "-"
        return significant(scale * statistics.median(compare(seconds[ours], seconds[peer], "ratio")))

    speedup = f"{ratio_cell('resident', 'eigen')} / {ratio_cell('end_to_end', 'eigen')}"
    percent = ratio_cell("resident", "cublas", 100.0)
    rounds = len(raw.rounds(name))
    size = str(n) if rounds >= LEAST_ROUNDS else f"{n} ({rounds} rounds)"
    return [size, rate_cell("resident"), percent, rate_cell("end_to_end"), rate_cell("eigen"), speedup]


def matmul_table(raw, precision):
    """Returns the table of square products in a precision, with a line that says what it is."""
    rows = [matmul_row(raw, precision, n) for n in matmul_sizes(raw, precision)]
    header = ["n", "GPU resident, TFLOP/s", "% of cuBLAS", "end to end, TFLOP/s", "Eigen, TFLOP/s",
              "speed-up over Eigen, resident / end to end"]
    title = f"C = A B, n x n, {precision}; end to end is from and to host memory, Eigen has all cores:"
    return [title, "", *markdown_table(header, ["---:"] * len(header), rows)] if rows else []


def span_text(values, unit):
    """Writes the lowest and the highest of some numbers."""
    lowest, highest = round(min(values)), round(max(values))
    return f"{lowest} {unit}" if lowest == highest else f"{lowest} to {highest} {unit}"


def counter_values(raw, counter):
    """Returns the finite numbers that a counter has in all rounds of a raw file."""
    values = [row.get(counter) for rows in raw.rows.values() for row in rows]
    return [value for value in values if is_number(value)]


def clocks_text(raw):
    """Writes the SM clocks and temperatures that were logged with the rounds, else the context's clock."""
    clocks, temperatures = counter_values(raw, "sm_clock_mhz"), counter_values(raw, "temperature_c")
    if not clocks and not raw.context.get("sm_clock_mhz"):
        raise RecordError(f"{raw.name} has no sm_clock_mhz, neither in its rounds nor in its context: "
                          "run the benchmark where clocks can be read")
    clock = span_text(clocks, "MHz") if clocks else f"{raw.context['sm_clock_mhz']} MHz"
    return f"SM clock {clock}" + (f", {span_text(temperatures, 'degrees C')}" if temperatures else "")


def caption(targets, record, results):
    """Returns the sentences above the tables: machine, software, rounds, commit, command."""
    raw = record.raw("matmul.json")
    context = raw.context
    rounds = [item.rounds for result in results for item in result.series]
    peers = [context[key] for key in PEERS if not context.get(key, "absent").startswith("absent")]
    sentences = [
        f"Measured on one {context['gpu']} (driver {context['driver']}, CUDA {context['cuda']}, {clocks_text(raw)}) "
        f"beside {context['cpu']} ({context['cpus']} CPUs), {context['compiler']} with `{context['flags']}`"
        + (f"; peers: {'; '.join(peers)}" if peers else "") + ".",
        f"Medians of {span_text(rounds, 'interleaved rounds')} with their distribution-free 95% intervals, commit "
        f"[{context['commit'][:7]}]({record.name}).",
        f"Made by `{targets.command}`, computed from its raw files by `python3 bench/scoreboard.py --write-readme`.",
    ]
    return " ".join(sentences)


def markdown_block(targets, record, results):
    """Returns the README's block without its markers; every number in it comes from the raw files."""
    raw = record.raw("matmul.json")
    parts = [caption(targets, record, results), "", *figures_table(results)]
    for precision in ("fp32", "fp64"):
        table = matmul_table(raw, precision)
        parts += ["", *table] if table else []
    return "\n".join(parts) + "\n"


def split_readme(path):
    """Returns the README's text before, in and after its generated block, the markers being outside of it."""
    try:
        text = Path(path).read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as problem:
        raise InputError(f"the README {path} cannot be read: {problem}") from None
    begin, end = text.find(BEGIN), text.find(END)
    if text.count(BEGIN) != 1 or text.count(END) != 1 or begin > end:
        raise InputError(f"the README {path} has no place for the block: put {BEGIN} and {END} there, once each and "
                         "in this order")
    begin += len(BEGIN)
    return text[:begin], text[begin:end], text[end:]


def readme_problems(path, block):
    """Returns the problems of the README: none when its block is what was computed."""
    try:
        _, found, _ = split_readme(path)
    except InputError as problem:
        return [str(problem)]
    if found == f"\n{block}":
        return []
    difference = difflib.unified_diff(found[1:].splitlines(), block.splitlines(), "README", "recomputed", "", "", 0, "")
    return ["the README's block differs from what the raw files give; python3 bench/scoreboard.py --write-readme mends "
            "it:\n" + "\n".join("    " + line for line in difference)]


def write_readme(path, block):
    """Puts the block between the README's markers."""
    before, _, after = split_readme(path)
    try:
        Path(path).write_text(f"{before}\n{block}{after}", encoding="utf-8")
    except OSError as problem:
        raise InputError(f"the README {path} cannot be written: {problem}") from None
