# SPDX-FileCopyrightText: The gpuenv authors
# SPDX-License-Identifier: Apache-2.0
"""Tests of bench/scoreboard.py, bench/plot.py and the workers of bench/peers, on raw files made here.

    python3 tests/bench/scoreboard_test.py
"""

import contextlib
import importlib.util
import io
import json
import os
import random
import subprocess
import sys
import tempfile
import unittest
from fractions import Fraction
from math import comb
from pathlib import Path

BENCH = Path(__file__).resolve().parents[2] / "bench"
sys.dont_write_bytecode = True
sys.path.insert(0, str(BENCH))
import scoreboard  # noqa: E402
from board.raw_results import benchmark_name, load_raw  # noqa: E402
from board.readme_block import BEGIN, END  # noqa: E402
from board.statistics_of_rounds import compare, median_interval  # noqa: E402
from board.text import significant  # noqa: E402

COMMIT = "0123456" + "89abcdef0" * 3 + "123456"
CONTEXT = {
    "date": "2026-01-01T00:00:00+00:00", "num_cpus": 16, "library_build_type": "release", "commit": COMMIT,
    "gpu": "NVIDIA H200", "gpu_uuid": "GPU-0", "driver": "580.159.04", "cuda": "13.0", "cpu": "Test CPU", "cpus": "16",
    "compiler": "GCC 13.3.0", "flags": "-O3", "eigen": "Eigen 3.4.0, AVX-512", "peer_torch": "PyTorch 2.11.0",
    "peer_cupy": "absent: no package"}
# Seconds of a contender are this share of Eigen's.
SHARES = {"resident_s": 0.02, "end_to_end_s": 0.25, "cublas_s": 0.02, "torch_s": 0.021, "eigen_s": 1.0, "cpu_s": 0.95,
          "numpy_s": 0.97}


def rows_of(name, rounds, counters, extra=None):
    """Makes the rows of a benchmark as Google Benchmark writes them: rounds, then an aggregate."""
    full = f"{name}/iterations:1/repeats:{rounds}/manual_time"
    rows = [{"name": full, "run_name": full, "run_type": "iteration", "repetitions": rounds, "repetition_index": index,
             "threads": 1, "iterations": 1, "real_time": 1.0, "cpu_time": 1.0, "time_unit": "ms",
             **{key: make(index) for key, make in counters.items()}, **(extra or {})} for index in range(rounds)]
    spread = {key: 0.01 for key in (*counters, *(extra or {}))}
    aggregate = dict(rows[0], name=f"{full}_stddev", run_type="aggregate", aggregate_name="stddev", **spread)
    del aggregate["repetition_index"]
    return [*rows, aggregate]


def noisy(seconds, generator):
    """Makes a counter that varies by a few per cent from round to round."""
    return lambda _: seconds * (1 + 0.03 * generator.random())


def product_rows(generator):
    """Makes the rows of square products; sizes beyond 4096 have few rounds."""
    rows = []
    for precision, factor in (("fp32", 1.0), ("fp64", 2.0)):
        for n in (64, 512, 1000, 1024, 2048, 4096, 8192):
            eigen = factor * (2 * n**3 / 1e12 + 1e-5)
            counters = {key: noisy(eigen * share, generator) for key, share in SHARES.items()}
            extra = {"m": n, "n": n, "k": n, "sm_clock_mhz": 1900.0 + n % 7, "temperature_c": 41.0}
            rows += rows_of(f"matmul/{precision}/{n}", 20 if n <= 4096 else 5, counters, extra)
    return rows


def make_rows():
    """Makes the rows of all four raw files of a healthy record."""
    generator = random.Random(1)
    start = {key: noisy(seconds, generator) for key, seconds in
             (("gpuenv_s", 0.4), ("torch_s", 4.0), ("cublas_program_s", 0.5))}
    pair = {"gpuenv_s": noisy(3e-9, generator), "raw_s": noisy(2e-9, generator)}
    copy = {"gpuenv_s": noisy(1.3e-4, generator), "raw_s": noisy(1.3e-4, generator)}
    return {
        "matmul.json": product_rows(generator),
        "start.json": rows_of("start/matmul1000", 20, start),
        "overhead.json": [row for name in ("event_record", "event_query", "guard")
                          for row in rows_of(f"overhead/{name}", 20, pair)],
        "memory.json": [row for size in (1 << 20, 1 << 28)
                        for row in rows_of(f"memory/copy_on_device/{size}", 20, copy, {"bytes": size})]}


def call(module_main, *arguments):
    """Runs a program's main in this process and returns (status, standard output, standard error)."""
    out, err = io.StringIO(), io.StringIO()
    with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
        try:
            status = module_main([str(argument) for argument in arguments])
        except SystemExit as leaving:
            status = leaving.code
    return status, out.getvalue(), err.getvalue()


class RecordTest(unittest.TestCase):
    """A healthy record in a temporary folder, with the repository's targets and a README that fits."""

    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)
        self.record = self.folder / "nvidia-h200" / COMMIT[:7]
        self.record.mkdir(parents=True)
        self.rows = make_rows()
        self.contexts = {file: dict(CONTEXT) for file in self.rows}
        self.contexts["overhead.json"]["gpu"] = "none: a runtime that does nothing"
        self.targets = json.loads((BENCH / "targets.json").read_text(encoding="utf-8"))
        self.readme = self.folder / "README.md"
        self.readme.write_text(f"# Before\n\n{BEGIN}\n{END}\n\nAfter.\n", encoding="utf-8")

    def write(self):
        """Writes raw files and targets."""
        for file, rows in self.rows.items():
            text = json.dumps({"context": self.contexts[file], "benchmarks": rows}, indent=2)
            (self.record / file).write_text(text, encoding="utf-8")
        (self.folder / "targets.json").write_text(json.dumps(self.targets), encoding="utf-8")

    def run_scoreboard(self, *arguments, write=True):
        """Runs the scoreboard on the record."""
        if write:
            self.write()
        return call(scoreboard.main, "--targets", self.folder / "targets.json", "--record", self.record, "--readme",
                    self.readme, *arguments)

    def rounds(self, file, benchmark):
        """Returns the rows of a benchmark's rounds, to be changed by a test."""
        return [row for row in self.rows[file]
                if row["name"].startswith(f"{benchmark}/") and row["run_type"] == "iteration"]

    def figure(self, name):
        """Returns a figure's entry in the targets, to be changed by a test."""
        return next(entry for entry in self.targets["figures"] if entry["id"] == name)

    def expect_failure(self, *texts, status=1, arguments=("--check",), write=True):
        """Runs the check after a change and expects it to fail with these texts, and without a stack trace."""
        found, out, err = self.run_scoreboard(*arguments, write=write)
        self.assertEqual(found, status, out + err)
        for text in texts:
            self.assertIn(text, err)
        self.assertNotIn("Traceback", err)

    def make_healthy(self):
        """Writes the README's block, after which the check passes."""
        self.assertEqual(self.run_scoreboard("--write-readme")[0], 0)
        status, _, err = self.run_scoreboard("--check")
        self.assertEqual((status, err), (0, ""))


class CheckTest(RecordTest):
    """`--check` passes on a healthy record, and each kind of defect makes it fail."""

    def setUp(self):
        super().setUp()
        self.make_healthy()

    def test_every_figure_of_the_targets_is_computed(self):
        status, out, err = self.run_scoreboard()
        self.assertEqual((status, err), (0, ""))
        for entry in self.targets["figures"]:
            self.assertIn(f"\n{entry['id']} ", out)
        self.assertEqual(out.count(" holds"), 6)
        self.assertNotIn("missed", out)

    def test_a_missed_lower_target_fails_only_the_check(self):
        for row in self.rounds("start.json", "start/matmul1000"):
            row["torch_s"] = row["gpuenv_s"] * 7.99
        self.assertEqual(self.run_scoreboard()[0], 0)
        self.expect_failure("start.matmul1000.vs_pytorch is missed: 7.99", "expected at least 8")

    def test_a_missed_upper_target_fails(self):
        for row in self.rounds("overhead.json", "overhead/guard"):
            row["gpuenv_s"] = row["raw_s"] + 5.1e-9
        self.expect_failure("wrapper.guard.overhead_ns is missed: 5.10 ns", "expected at most 5 ns")

    def test_of_several_benchmarks_the_lowest_counts(self):
        for row in self.rounds("matmul.json", "matmul/fp64/2048"):
            row["numpy_s"] = row["cpu_s"] * 0.5
        self.expect_failure("matmul.cpu.vs_numpy is missed: 0.500", "matmul/fp64/2048")
        self.assertIn("\n  matmul/fp32/1000 ", self.run_scoreboard()[1])

    def test_worst_holds_by_the_lower_end_of_the_interval(self):
        entry = self.figure("matmul.fp32.4096.vs_torch")
        entry.update(id="matmul.fp32.4096.vs_torch.worst", at_least=0.97)
        for index, row in enumerate(self.rounds("matmul.json", "matmul/fp32/4096")):
            row["torch_s"] = row["resident_s"] * (0.9 if index < 6 else 1.1)
        self.expect_failure("vs_torch.worst is missed: 1.10 (95% interval 0.900 to 1.10")
        entry.update(id="matmul.fp32.4096.vs_torch")
        self.assertNotIn("vs_torch is missed", self.run_scoreboard("--check")[2])
        entry.update(hold_by="interval")
        self.expect_failure("vs_torch is missed")

    def test_a_missing_file_fails(self):
        for file in self.rows:
            with self.subTest(file):
                self.write()
                (self.record / file).unlink()
                self.expect_failure(file, "is missing", write=False)

    def test_a_missing_folder_fails_with_what_to_do(self):
        self.record = self.folder / "nvidia-h200" / "7777777"
        self.expect_failure("is no folder", "--record", write=False)

    def test_a_file_that_is_not_google_benchmarks_fails(self):
        for text, said in (("{", "is not JSON"), ("[]", "expected an object"), ("{}", "not Google Benchmark's")):
            with self.subTest(text):
                self.write()
                (self.record / "start.json").write_text(text, encoding="utf-8")
                self.expect_failure("start.json", said, write=False)

    def test_a_dirty_commit_fails(self):
        self.contexts["matmul.json"]["commit"] = COMMIT + "-dirty"
        self.expect_failure("matmul.json", "-dirty", "commit your changes")

    def test_another_commit_than_the_folders_fails(self):
        self.contexts["matmul.json"]["commit"] = "f" * 40
        self.expect_failure("measured at commit ffff", f"named {COMMIT[:7]}")

    def test_a_context_without_the_gpu_fails(self):
        for value in (None, "", "unknown", "none: no driver"):
            with self.subTest(value):
                self.contexts["start.json"]["gpu"] = value
                self.expect_failure('start.json: the context has no "gpu"')

    def test_files_of_two_machines_fail(self):
        self.contexts["start.json"]["driver"] = "570.1"
        self.expect_failure('"driver" is', "570.1 in start.json")

    def test_nineteen_rounds_fail_where_there_is_a_target(self):
        rows = self.rows["start.json"]
        self.rows["start.json"] = [dict(row, repetitions=19) for row in rows if row.get("repetition_index") != 19]
        self.expect_failure("start.matmul1000.vs_pytorch", "19 rounds, expected at least 20")

    def test_nineteen_rounds_do_where_there_is_no_target(self):
        rows = [dict(row, repetitions=19) for row in self.rounds("matmul.json", "matmul/fp32/512")[:19]]
        others = [row for row in self.rows["matmul.json"] if not row["name"].startswith("matmul/fp32/512/")]
        self.rows["matmul.json"] = others + rows
        self.assertEqual(self.run_scoreboard()[0], 0)

    def test_a_round_left_out_or_given_twice_fails(self):
        row = self.rounds("start.json", "start/matmul1000")[3]
        self.rows["start.json"].remove(row)
        self.expect_failure("has 19 rows", "expected 20 of each")
        self.rows["start.json"].append(dict(row, repetition_index=4))
        self.expect_failure("20 rows with 19 different indices")

    def test_seconds_that_are_no_time_fail(self):
        row = self.rounds("start.json", "start/matmul1000")[7]
        for value in (float("nan"), float("inf"), 0.0, -1.0, "fast", True, None):
            with self.subTest(value):
                row["torch_s"] = value
                self.expect_failure("round 7: torch_s is", "expected a finite time above 0")

    def test_an_unknown_counter_fails(self):
        for row in self.rounds("start.json", "start/matmul1000"):
            del row["torch_s"]
        self.expect_failure("has no counter torch_s", "gpuenv_s, cublas_program_s")

    def test_an_unknown_benchmark_fails_and_names_the_nearest(self):
        self.figure("wrapper.guard.overhead_ns")["benchmark"] = "overhead/gard"
        self.expect_failure("no rows of overhead/gard", "nearest name in it is overhead/guard")

    def test_a_name_of_several_benchmarks_fails(self):
        more = [dict(row, name=row["name"] + "/threads:4") for row in self.rounds("start.json", "start/matmul1000")]
        self.rows["start.json"] += more
        self.expect_failure("start/matmul1000 may be any of", "/threads:4")

    def test_a_round_that_ended_in_an_error_fails(self):
        self.rounds("start.json", "start/matmul1000")[0].update(error_occurred=True, error_message="out of memory")
        self.expect_failure("did not run in every round (out of memory)")

    def test_a_readme_that_differs_fails_and_shows_where(self):
        text = self.readme.read_text(encoding="utf-8")
        self.readme.write_text(text.replace("| 512 |", "| 513 |", 1), encoding="utf-8")
        self.expect_failure("the README's block differs", "-| 513 |", "+| 512 |", "--write-readme")

    def test_a_readme_without_markers_fails(self):
        begin, end = BEGIN, END
        for text in ("# No block\n", f"{end}\n{begin}\n", f"{begin}\n{begin}\n{end}\n"):
            with self.subTest(text):
                self.readme.write_text(text, encoding="utf-8")
                self.expect_failure("has no place for the block", BEGIN)
                self.expect_failure("has no place for the block", status=2, arguments=("--write-readme",))

    def test_no_block_is_made_of_an_unfit_record(self):
        self.rounds("start.json", "start/matmul1000")[7]["torch_s"] = 0.0
        before = self.readme.read_bytes()
        for arguments in (("--write-readme",), ("--markdown",)):
            status, out, _ = self.run_scoreboard(*arguments)
            self.assertEqual((status, out), (1, ""))
        self.assertEqual(self.readme.read_bytes(), before)


class TargetsTest(RecordTest):
    """Mistakes in the targets are bad input, status 2, and named."""

    def expect_bad_figure(self, text, **fields):
        """Changes a figure's fields (None removes one) and expects the text."""
        entry = dict(self.targets["figures"][0])
        entry.update(fields)
        saved = self.targets["figures"][0]
        self.targets["figures"][0] = {key: value for key, value in entry.items() if value is not None}
        self.expect_failure(text, status=2)
        self.targets["figures"][0] = saved

    def test_mistakes_in_a_figure_are_bad_input(self):
        self.expect_bad_figure('unknown field "at_lest", did you mean "at_least"?', at_lest=3)
        self.expect_bad_figure('lacks "peer"', peer=None)
        self.expect_bad_figure('"compare" is "difference"', compare="difference")
        self.expect_bad_figure('is not among "files"', file="other.json")
        self.expect_bad_figure('"at_least" is \'8\'', at_least="8")
        self.expect_bad_figure('both "at_least" and "at_most"', at_most=9)
        self.expect_bad_figure("holds by its interval", id="a.worst", hold_by="median")
        self.expect_bad_figure('"hold_by" is \'mean\'', hold_by="mean")
        self.expect_bad_figure('needs one of "benchmark" and "benchmarks"', benchmark=None)
        self.expect_bad_figure('"combine" is None', benchmark=None, benchmarks=["a", "b"])
        self.expect_bad_figure("would hide a miss", benchmark=None, benchmarks=["a", "b"], combine="lowest", at_most=1,
                               at_least=None)
        self.expect_bad_figure("more than one figure is called", id=self.targets["figures"][1]["id"])

    def test_bad_files_and_arguments_are_bad_input(self):
        self.write()
        (self.folder / "targets.json").write_text("{", encoding="utf-8")
        self.expect_failure("is not JSON", status=2, write=False)
        (self.folder / "targets.json").unlink()
        self.expect_failure("is missing", status=2, write=False)
        self.expect_failure("not allowed with", status=2, arguments=("--check", "--markdown"))


class StatisticsTest(unittest.TestCase):
    """The interval against tables and against its definition; numbers as text."""

    def test_ends_are_those_of_the_tables(self):
        # Ranks of the 95% interval of a median, as in tables of the sign test.
        for count, first, last in ((6, 1, 6), (8, 1, 8), (9, 2, 8), (10, 2, 9), (17, 5, 13), (20, 6, 15), (25, 8, 18),
                                   (40, 14, 27)):
            values = list(range(count, 0, -1))
            self.assertEqual(median_interval(values), (first, last), count)

    def test_fewer_than_six_values_have_none(self):
        for count in range(6):
            self.assertIsNone(median_interval([1.0] * count))

    def test_it_is_the_shortest_symmetric_one_that_covers(self):
        for count in range(6, 200):
            first, last = median_interval(list(range(1, count + 1)))

            def coverage(depth, count=count):
                return 1 - 2 * Fraction(sum(comb(count, i) for i in range(depth)), 2**count)
            self.assertEqual(first + last, count + 1)
            self.assertGreaterEqual(coverage(first), Fraction(95, 100))
            self.assertLess(coverage(first + 1), Fraction(95, 100))

    def test_ratios_and_differences_are_made_of_pairs(self):
        # Medians of the contenders alone would give 20 / 2 = 10.
        ours, peer = [1.0, 2.0, 4.0], [30.0, 10.0, 20.0]
        self.assertEqual(compare(ours, peer, "ratio"), [30.0, 5.0, 5.0])
        self.assertEqual(compare([3e-9], [1e-9], "difference_ns"), [(3e-9 - 1e-9) * 1e9])

    def test_numbers_have_three_digits_and_no_exponent(self):
        for value, text in ((8.0, "8.00"), (9.996, "10.0"), (0.0012345, "0.00123"), (123.4, "123"), (54321.0, "54300"),
                            (0.9999, "1.00")):
            self.assertEqual(significant(value), text)

    def test_names_lose_what_google_benchmark_appends_and_nothing_else(self):
        for full, name in (("a/fp32/1000/iterations:1/repeats:20/manual_time", "a/fp32/1000"), ("a/10", "a/10"),
                           ("a/real_time/threads:8", "a"), ("real_time", "real_time"),
                           ("a/n:1000/min_time:0.100/process_time/real_time", "a/n:1000")):
            self.assertEqual(benchmark_name(full), name)


class MarkdownTest(RecordTest):
    """The README's block."""

    def test_it_names_its_surroundings_and_stays_the_same(self):
        self.make_healthy()
        first, second = self.run_scoreboard("--markdown")[1], self.run_scoreboard("--markdown")[1]
        self.assertEqual(first, second)
        for text in ("NVIDIA H200", "driver 580.159.04", "CUDA 13.0", "SM clock 1901 to 1906 MHz", "41 degrees C",
                     "Test CPU (16 CPUs)", "`-O3`", "Eigen 3.4.0, AVX-512; PyTorch 2.11.0.", "of 20 interleaved rounds",
                     "| 8192 (5 rounds) |", f"[{COMMIT[:7]}](bench/results/nvidia-h200/{COMMIT[:7]})",
                     f"`{self.targets['command']}`"):
            self.assertIn(text, first)
        self.assertNotIn("absent", first)
        self.assertNotIn(str(self.folder), first)

    def test_the_table_of_products_is_computed_from_the_rounds(self):
        seconds = {"resident_s": 4e-5, "cublas_s": 3e-5, "end_to_end_s": 4e-4, "eigen_s": 2e-3}
        for row in self.rounds("matmul.json", "matmul/fp32/1000"):
            row.update(seconds)
        for row in self.rounds("matmul.json", "matmul/fp64/64"):
            for key in seconds:
                del row[key]
        block = self.run_scoreboard("--markdown")[1]
        self.assertIn("| 1000 | 50.0 | 75.0 | 5.00 | 1.00 | 50.0 / 5.00 |", block)
        self.assertIn("| 64 | - | - | - | - | - / - |", block)

    def test_writing_leaves_the_rest_of_the_readme_alone(self):
        self.make_healthy()
        text = self.readme.read_text(encoding="utf-8")
        self.assertTrue(text.startswith(f"# Before\n\n{BEGIN}\nMeasured"))
        self.assertTrue(text.endswith(f"|\n{END}\n\nAfter.\n"))


@unittest.skipUnless(importlib.util.find_spec("matplotlib"), "Matplotlib is not installed: pip install matplotlib")
class PlotTest(RecordTest):
    """bench/plot.py draws, and says what is wrong with a record."""

    def draw(self, folder):
        """Runs plot.py and returns (status, standard error)."""
        import plot
        status, _, err = call(plot.main, self.record, "--output", self.folder / folder)
        return status, err

    def test_it_draws_the_same_bytes_twice(self):
        self.write()
        for folder in ("once", "twice"):
            self.assertEqual(self.draw(folder), (0, ""))
        for name in ("matmul.svg", "roofline.svg"):
            svg = (self.folder / "once" / name).read_bytes()
            self.assertEqual(svg, (self.folder / "twice" / name).read_bytes())
            self.assertNotIn(b"dc:date", svg)
        for name in ("matmul.png", "roofline.png"):
            self.assertTrue((self.folder / "once" / name).read_bytes().startswith(b"\x89PNG"))

    def test_the_roof_is_bytes_read_and_written_by_the_largest_copy(self):
        import plot
        for row in self.rounds("memory.json", f"memory/copy_on_device/{1 << 28}"):
            row["raw_s"] = 1.0
        self.write()
        self.assertEqual(plot.device_bandwidth(load_raw(self.record / "memory.json")), 2.0 * (1 << 28))

    def test_it_refuses_an_unfit_record(self):
        self.rows["memory.json"] = []
        self.write()
        status, err = self.draw("pictures")
        self.assertEqual(status, 2)
        self.assertIn("memory/copy_on_device", err)
        (self.record / "matmul.json").unlink()
        self.assertIn("is missing", self.draw("pictures")[1])


class PlotWithoutMatplotlibTest(unittest.TestCase):
    """Without Matplotlib plot.py says what to install."""

    def test_it_says_what_to_install(self):
        with tempfile.TemporaryDirectory() as folder:
            broken = Path(folder) / "matplotlib.py"
            broken.write_text('raise ImportError("No module named matplotlib")\n', encoding="utf-8")
            command = [sys.executable, "-B", str(BENCH / "plot.py"), folder, "--output", folder]
            run = subprocess.run(command, capture_output=True, text=True, env={**os.environ, "PYTHONPATH": folder},
                                 check=False)
        self.assertEqual(run.returncode, 2)
        self.assertIn("pip install matplotlib", run.stderr)
        self.assertNotIn("Traceback", run.stderr)


# A NumPy that the protocol can be tested with; it also prints where only answers belong.
FAKE_NUMPY = """
import os
print("noise from Python")
os.system("echo noise from a child")
float32, float64, __version__ = "f4", "f8", "9.9"
def empty(shape, dtype): return [shape, dtype]
def matmul(a, b, out):
    if a[0][0] == 13: raise MemoryError("no room\\nfor it")
def show_config(mode): return {"Build Dependencies": {"blas": {"name": "fakeblas", "version": "1.2"}}}
class random:
    class default_rng:
        def __init__(self, seed): self.made = 0
        def standard_normal(self, shape, dtype): return [shape, dtype]
"""


class WorkerTest(unittest.TestCase):
    """The workers' protocol: lines in, lines out, nothing else."""

    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.packages = Path(folder.name)

    def ask(self, program, *requests, fake=True):
        """Runs a worker on some requests, with the fake packages or without, and returns (status, lines)."""
        environment = {**os.environ, "PYTHONPATH": str(self.packages)} if fake else dict(os.environ)
        run = subprocess.run([sys.executable, "-B", str(BENCH / "peers" / program)], capture_output=True, text=True,
                             input="".join(line + "\n" for line in requests), env=environment, timeout=120, check=False)
        self.assertNotIn("Traceback", run.stderr)
        return run.returncode, run.stdout.splitlines()

    def package(self, name, text):
        """Makes a fake package."""
        (self.packages / f"{name}.py").write_text(text, encoding="utf-8")

    def test_a_missing_package_is_absent(self):
        for package in ("numpy", "torch", "cupy"):
            self.package(package, 'raise ImportError("no such\\npackage")\n')
            status, lines = self.ask(f"{package}_worker.py", "mm fp32 8 8 8 1")
            self.assertEqual((status, len(lines)), (0, 1))
            self.assertRegex(lines[0], "^absent .*cannot be imported \\(no such package\\): pip install ")

    def test_a_package_that_is_broken_or_without_a_gpu_is_absent(self):
        self.package("torch", "class cuda:\n    is_available = staticmethod(lambda: False)\n__version__ = '2.0'\n")
        self.assertEqual(self.ask("torch_worker.py"), (0, ["absent PyTorch 2.0 finds no GPU that it can use"]))
        self.package("cupy", "raise RuntimeError('half installed')\n")
        self.assertEqual(self.ask("cupy_worker.py"), (0, ["absent RuntimeError: half installed"]))

    def test_requests_are_answered_line_by_line(self):
        self.package("numpy", FAKE_NUMPY)
        self.package("threadpoolctl", "raise ImportError\n")
        bad = ("mm fp64 8 8 8", "mm fp16 1 1 1 1", "mm fp32 0 1 1 1", "")
        requests = ("mm fp32 8 4 2 3", *bad, "mm fp32 13 1 1 1", "mm fp32 8 4 2 3", "quit", "mm fp32 8 4 2 3")
        status, lines = self.ask("numpy_worker.py", *requests)
        self.assertEqual((status, len(lines)), (0, 8))
        self.assertEqual(lines[0], f"ready NumPy 9.9, fakeblas 1.2, {len(os.sched_getaffinity(0))} threads")
        self.assertRegex(lines[1], "^seconds [0-9.]+e-[0-9]+$")
        for line in lines[2:6]:
            self.assertRegex(line, "^error the request is '.*', expected ")
        self.assertEqual(lines[6], "error MemoryError: no room for it")
        self.assertRegex(lines[7], "^seconds ")

    def test_the_end_of_input_ends_a_worker(self):
        self.package("numpy", FAKE_NUMPY)
        self.assertEqual(self.ask("numpy_worker.py")[0], 0)

    @unittest.skipUnless(importlib.util.find_spec("numpy"), "NumPy is not installed: pip install numpy")
    def test_numpy_itself_answers(self):
        status, lines = self.ask("numpy_worker.py", "mm fp32 64 32 16 10", "mm fp64 64 64 64 10", fake=False)
        self.assertEqual((status, len(lines)), (0, 3))
        self.assertRegex(lines[0], "^ready NumPy [0-9.]+.*, .*, [0-9]+ threads$")
        for line in lines[1:]:
            self.assertGreater(float(line.removeprefix("seconds ")), 0)


class OperandsTest(unittest.TestCase):
    """The server keeps the operands of the last shape alone."""

    def test_operands_are_made_when_the_shape_changes_and_after_a_failure(self):
        sys.path.insert(0, str(BENCH / "peers"))
        import worker
        made = []

        class Recorded(worker.Products):
            def prepare(self, precision, m, n, k):
                made.append((precision, m, n, k))
                return made[-1]

            def seconds(self, operands, calls):
                if calls == 99:
                    raise RuntimeError("device lost")
                return 1.0
        server = worker.Server(Recorded())
        for line in ("mm fp32 1 2 3 1", "mm fp32 1 2 3 7", "mm fp64 1 2 3 1", "mm fp64 1 2 3 99", "mm fp64 1 2 3 1"):
            server.answer(line)
        self.assertEqual(made, [("fp32", 1, 2, 3), ("fp64", 1, 2, 3), ("fp64", 1, 2, 3)])


if __name__ == "__main__":
    unittest.main()
