# SPDX-FileCopyrightText: The gpuenv authors
# SPDX-License-Identifier: Apache-2.0
"""CuPy as a peer: cupy.matmul(a, b, out=c) on the GPU, on a stream of its own. worker.py holds the protocol."""

import sys

import worker


def count_gpus(cupy):
    """Returns the number of GPUs that CuPy can use; without a driver its call fails."""
    try:
        return cupy.cuda.runtime.getDeviceCount()
    except cupy.cuda.runtime.CUDARuntimeError as problem:
        raise worker.Absent(f"CuPy {cupy.__version__} finds no GPU that it can use ({problem})") from None


def runtime_version(cupy):
    """Returns the CUDA runtime's version as 13.0."""
    version = cupy.cuda.runtime.runtimeGetVersion()
    return f"{version // 1000}.{version % 1000 // 10}"


class CupyProducts(worker.Products):
    """Products of CuPy arrays on GPU 0, in IEEE arithmetic, timed by events."""

    def __init__(self):
        worker.plain_arithmetic()  # CuPy uses TF32 only where CUPY_TF32 says so
        try:
            import cupy
        except ImportError as problem:
            raise worker.Absent(f"CuPy cannot be imported ({problem}): pip install cupy-cuda13x") from None
        if count_gpus(cupy) == 0:
            raise worker.Absent(f"CuPy {cupy.__version__} finds no GPU")
        self._cupy = cupy
        self._random = cupy.random.RandomState(1)
        self._stream = cupy.cuda.Stream(non_blocking=True)
        self._start = cupy.cuda.Event()
        self._stop = cupy.cuda.Event()
        device = cupy.cuda.runtime.getDeviceProperties(0)["name"].decode()
        self.name = (f"CuPy {cupy.__version__}, CUDA {runtime_version(cupy)}, {device}, "
                     "cupy.matmul on a stream of its own, TF32 off")

    def prepare(self, precision, m, n, k):
        """Makes random operands and room for the result, and multiplies once."""
        cupy = self._cupy
        dtype = cupy.float32 if precision == "fp32" else cupy.float64
        with self._stream:
            a = self._random.standard_normal((m, k), dtype=dtype)
            b = self._random.standard_normal((k, n), dtype=dtype)
            c = cupy.empty((m, n), dtype=dtype)
            cupy.matmul(a, b, out=c)
        self._stream.synchronize()
        return a, b, c

    def seconds(self, operands, calls):
        """Returns the mean seconds of so many products; one before them wakes the GPU and is not timed."""
        a, b, c = operands
        matmul = self._cupy.matmul
        with self._stream:
            matmul(a, b, out=c)
            self._start.record(self._stream)
            for _ in range(calls):
                matmul(a, b, out=c)
            self._stop.record(self._stream)
        self._stop.synchronize()
        return self._cupy.cuda.get_elapsed_time(self._start, self._stop) * 1e-3 / calls


if __name__ == "__main__":
    sys.exit(worker.serve(CupyProducts))
