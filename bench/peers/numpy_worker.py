# SPDX-FileCopyrightText: The gpuenv authors
# SPDX-License-Identifier: Apache-2.0
"""NumPy as a peer: numpy.matmul(a, b, out=c) with all CPUs of the affinity mask. worker.py holds the protocol."""

import os
import sys
import time

import worker

THREAD_VARIABLES = ("OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS", "BLIS_NUM_THREADS", "OMP_NUM_THREADS")


def use_all_cpus():
    """Tells the BLAS libraries, which ask when they are loaded, to use as many threads as this process has CPUs."""
    cpus = len(os.sched_getaffinity(0))
    for name in THREAD_VARIABLES:
        os.environ[name] = str(cpus)
    return cpus


def blas_in_use():
    """Returns the BLAS that is loaded and its threads, (text, number), as threadpoolctl tells, or None without it."""
    try:
        from threadpoolctl import threadpool_info
    except ImportError:
        return None
    libraries = [library for library in threadpool_info() if library.get("user_api") == "blas"]
    if not libraries:
        return None
    library = libraries[0]
    return f"{library['internal_api']} {library.get('version') or 'of unknown version'}", library["num_threads"]


def blas_of_build(numpy):
    """Returns the BLAS that NumPy was built with."""
    try:
        blas = numpy.show_config(mode="dicts")["Build Dependencies"]["blas"]
        return f"{blas['name']} {blas['version']}"
    except (TypeError, KeyError):  # NumPy before 1.26
        libraries = getattr(numpy.__config__, "blas_opt_info", {}).get("libraries", ["BLAS unknown"])
        return " ".join(dict.fromkeys(libraries))


class NumpyProducts(worker.Products):
    """Products of NumPy arrays in row-major order."""

    def __init__(self):
        cpus = use_all_cpus()
        try:
            import numpy
        except ImportError as problem:
            raise worker.Absent(f"NumPy cannot be imported ({problem}): pip install numpy") from None
        self._numpy = numpy
        self._random = numpy.random.default_rng(1)
        blas, threads = blas_in_use() or (blas_of_build(numpy), cpus)
        self.name = f"NumPy {numpy.__version__}, {blas}, {threads} threads"

    def prepare(self, precision, m, n, k):
        """Makes random operands and room for the result, and multiplies once."""
        dtype = self._numpy.float32 if precision == "fp32" else self._numpy.float64
        a = self._random.standard_normal((m, k), dtype=dtype)
        b = self._random.standard_normal((k, n), dtype=dtype)
        c = self._numpy.empty((m, n), dtype=dtype)
        self._numpy.matmul(a, b, out=c)
        return a, b, c

    def seconds(self, operands, calls):
        """Returns the mean seconds of so many products."""
        a, b, c = operands
        matmul = self._numpy.matmul
        start = time.perf_counter()
        for _ in range(calls):
            matmul(a, b, out=c)
        return (time.perf_counter() - start) / calls


if __name__ == "__main__":
    sys.exit(worker.serve(NumpyProducts))
