# SPDX-FileCopyrightText: The gpuenv authors
# SPDX-License-Identifier: Apache-2.0
"""What a user of PyTorch writes to do as `gpuenv matmul 1000 --verify full --verify-on cpu` does.

Two random 1000x1000 fp32 matrices on the GPU, their product, and its verification against FP64 on the CPU: every error
within gamma_k (|A||B|), gamma_k = k u / (1 - k u), u = 2^-24 (Higham, Accuracy and Stability of Numerical Algorithms,
2002, section 3.5). Exit status: 0 verified; 1 not verified; 2 PyTorch is missing; 3 no GPU.
"""

import sys
import time

SIZE = 1000
UNIT_ROUNDOFF = 2.0**-24


def import_torch():
    """Imports PyTorch, or ends the program."""
    try:
        import torch
    except ImportError as problem:
        print(f"PyTorch cannot be imported ({problem}): pip install torch", file=sys.stderr)
        sys.exit(2)
    if not torch.cuda.is_available():
        print(f"PyTorch {torch.__version__} finds no GPU that it can use", file=sys.stderr)
        sys.exit(3)
    return torch


def verify(torch, a, b, c):
    """Compares c with the product of a and b in FP64, all on the CPU.

    Returns (verified, largest error over its bound, root mean square of the errors in units of u (|A||B|)). A value
    that is not finite is never within the bound.
    """
    inner = a.shape[1]
    a, b = a.double(), b.double()
    error = (c.double() - torch.mm(a, b)).abs()
    magnitude = torch.mm(a.abs(), b.abs())
    gamma = inner * UNIT_ROUNDOFF / (1 - inner * UNIT_ROUNDOFF)
    verified = bool(torch.all(error <= gamma * magnitude))
    units = error / (UNIT_ROUNDOFF * magnitude).clamp_min(sys.float_info.min)
    return verified, float(units.max()) * UNIT_ROUNDOFF / gamma, float(units.square().mean().sqrt())


def main():
    """Multiplies, verifies, prints."""
    start = time.perf_counter()
    torch = import_torch()
    a = torch.randn(SIZE, SIZE, device="cuda")
    b = torch.randn(SIZE, SIZE, device="cuda")
    c = torch.mm(a, b)
    a, b, c = a.cpu(), b.cpu(), c.cpu()
    multiplied = time.perf_counter()
    verified, ratio, rms = verify(torch, a, b, c)
    end = time.perf_counter()
    print(f"product  C {SIZE}x{SIZE} = A {SIZE}x{SIZE} * B {SIZE}x{SIZE}, fp32, PyTorch {torch.__version__}")
    print(f"device   {torch.cuda.get_device_name()}")
    print(f"seconds  {end - start:.3f}, of them verification {end - multiplied:.3f}")
    print(f"error    at most {ratio:.3g} of the bound gamma (|A||B|), {rms:.3g} units rms")
    print(f"verified {'yes' if verified else 'no'}")
    return 0 if verified else 1


if __name__ == "__main__":
    sys.exit(main())
