# SPDX-FileCopyrightText: The gpuenv authors
# SPDX-License-Identifier: Apache-2.0
"""The protocol between a benchmark and a peer in Python, which it starts once and asks by lines in each round.

The worker's first line is `ready NAME AND VERSION`, or `absent REASON` before it ends with status 0. Then for each line

    mm fp32|fp64 M N K CALLS      the answer is `seconds S`: seconds for one product C (MxN) = A (MxK) * B (KxN), the
                                  mean of CALLS, operands random normal, made once for each shape, result preallocated
    quit                          the worker ends, as it does at the end of its input

A request that cannot be done is answered by `error REASON` in one line, and the worker goes on. Nothing else reaches
standard output: what libraries print there goes to standard error.
"""

import os
import sys

PRECISIONS = ("fp32", "fp64")
# Variables by which users change the arithmetic of products; every peer computes in IEEE fp32 and fp64.
ARITHMETIC_VARIABLES = (
    "NVIDIA_TF32_OVERRIDE", "TORCH_ALLOW_TF32_CUBLAS_OVERRIDE", "CUPY_TF32", "CUBLAS_EMULATE_SINGLE_PRECISION",
    "CUBLAS_EMULATE_DOUBLE_PRECISION", "CUBLAS_EMULATION_STRATEGY")


class Absent(Exception):
    """This peer cannot run here; the text says why."""


class RequestError(Exception):
    """A request that is not of the protocol's form; the text says what was expected."""


class Products:
    """What a peer has to offer. `name` says library, version and settings.

    prepare(precision, m, n, k) returns operands after a first, cold product; seconds(operands, calls) times products.
    """

    name = ""

    def prepare(self, precision, m, n, k):
        """Makes random operands and room for the result, and multiplies once."""
        raise NotImplementedError

    def seconds(self, operands, calls):
        """Returns the mean seconds of so many products."""
        raise NotImplementedError


def plain_arithmetic():
    """Removes the variables that change arithmetic; to be called before a library is loaded."""
    for name in ARITHMETIC_VARIABLES:
        os.environ.pop(name, None)


def one_line(problem):
    """Returns an exception as one line of text."""
    text = " ".join(str(problem).split())
    return text if isinstance(problem, (Absent, RequestError)) else f"{type(problem).__name__}: {text}"


def parse_request(line):
    """Returns (precision, m, n, k, calls) of a request."""
    words = line.split()
    if len(words) != 6 or words[0] != "mm" or words[1] not in PRECISIONS:
        raise RequestError(f"the request is '{line.strip()}', expected 'mm fp32|fp64 M N K CALLS'")
    if not all(word.isascii() and word.isdigit() and int(word) > 0 for word in words[2:]):
        raise RequestError(f"the request is '{line.strip()}', expected M, N, K and CALLS above 0")
    return (words[1], *map(int, words[2:]))


class Server:
    """Answers requests, and keeps the operands of the last shape."""

    def __init__(self, products):
        self._products = products
        self._shape = None
        self._operands = None

    def answer(self, line):
        """Returns the answer to a request; whatever fails is an answer too."""
        try:
            *shape, calls = parse_request(line)
            self._make_operands(tuple(shape))
            return f"seconds {self._products.seconds(self._operands, calls):.9e}"
        except RequestError as problem:
            return f"error {one_line(problem)}"
        except Exception as problem:  # of the library, of any kind: out of memory, a lost device
            self._forget()
            return f"error {one_line(problem)}"

    def _make_operands(self, shape):
        if shape != self._shape:
            self._forget()  # first, so that two shapes are never held at once
            self._operands = self._products.prepare(*shape)
            self._shape = shape

    def _forget(self):
        self._shape = self._operands = None


def take_standard_output():
    """Returns a text file for standard output, and sends what others print there to standard error."""
    sys.stdout.flush()
    answers = os.fdopen(os.dup(1), "w", buffering=1, encoding="utf-8")
    os.dup2(2, 1)
    return answers


def serve(make_products):
    """Runs a worker and returns its exit status. `make_products` returns its Products or raises Absent."""
    answers = take_standard_output()
    try:
        try:
            products = make_products()
        except Exception as problem:  # also a package that is there but broken
            print(f"absent {one_line(problem)}", file=answers)
            return 0
        print(f"ready {' '.join(products.name.split())}", file=answers)
        server = Server(products)
        for line in iter(sys.stdin.readline, ""):
            if line.strip() == "quit":
                break
            print(server.answer(line), file=answers)
    except (BrokenPipeError, KeyboardInterrupt):  # the benchmark has ended
        os._exit(0)
    return 0
