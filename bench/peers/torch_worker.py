# SPDX-FileCopyrightText: The gpuenv authors
# SPDX-License-Identifier: Apache-2.0
"""PyTorch as a peer: torch.mm(a, b, out=c) on the GPU, on a stream of its own. worker.py holds the protocol."""

import sys

import worker


class TorchProducts(worker.Products):
    """Products of PyTorch tensors on GPU 0, in IEEE arithmetic, timed by events."""

    def __init__(self):
        worker.plain_arithmetic()
        try:
            import torch
        except ImportError as problem:
            raise worker.Absent(f"PyTorch cannot be imported ({problem}): pip install torch") from None
        if not torch.cuda.is_available():
            raise worker.Absent(f"PyTorch {torch.__version__} finds no GPU that it can use")
        torch.set_float32_matmul_precision("highest")
        torch.backends.cuda.matmul.allow_tf32 = False
        torch.manual_seed(1)
        self._torch = torch
        self._stream = torch.cuda.Stream()
        self._start = torch.cuda.Event(enable_timing=True)
        self._stop = torch.cuda.Event(enable_timing=True)
        self.name = (f"PyTorch {torch.__version__}, CUDA {torch.version.cuda}, {torch.cuda.get_device_name()}, "
                     'torch.mm on a stream of its own, TF32 off, precision "highest"')

    def prepare(self, precision, m, n, k):
        """Makes random operands and room for the result, and multiplies once."""
        torch = self._torch
        dtype = torch.float32 if precision == "fp32" else torch.float64
        with torch.cuda.stream(self._stream):
            a = torch.randn(m, k, dtype=dtype, device="cuda")
            b = torch.randn(k, n, dtype=dtype, device="cuda")
            c = torch.empty(m, n, dtype=dtype, device="cuda")
            torch.mm(a, b, out=c)
        self._stream.synchronize()
        return a, b, c

    def seconds(self, operands, calls):
        """Returns the mean seconds of so many products; one before them wakes the GPU and is not timed."""
        a, b, c = operands
        mm = self._torch.mm
        with self._torch.cuda.stream(self._stream):
            mm(a, b, out=c)
            self._start.record(self._stream)
            for _ in range(calls):
                mm(a, b, out=c)
            self._stop.record(self._stream)
        self._stop.synchronize()
        return self._start.elapsed_time(self._stop) * 1e-3 / calls


if __name__ == "__main__":
    sys.exit(worker.serve(TorchProducts))
