# SPDX-FileCopyrightText: The gpuenv authors
# SPDX-License-Identifier: Apache-2.0
"""Medians over rounds and their intervals."""

import math
import statistics
from dataclasses import dataclass


def median_interval(values):
    """Returns the 95% interval of the median, (lowest, highest), or None for fewer than 6 values.

    Distribution-free, from order statistics: of n independent values, the number below the true median is binomial
    (n, 1/2), so the d-th smallest and the d-th largest enclose it with probability 1 - 2 P(B <= d - 1). d is the
    largest with a probability of at least 0.95 (David and Nagaraja, Order Statistics, 3rd edition, 2003, section 7.1):
    for 20 values the 6th and the 15th, 0.9586. Integers throughout, so the choice of d is exact.
    """
    ordered, count = sorted(values), len(values)
    depth, tail = 0, 0  # tail: 2^n P(B <= depth - 1)
    while 40 * (tail + math.comb(count, depth)) <= 2**count:  # 2 tail / 2^n <= 0.05
        tail += math.comb(count, depth)
        depth += 1
    return (ordered[depth - 1], ordered[count - depth]) if depth else None


@dataclass(frozen=True)
class Series:
    """One benchmark's comparison of ours with a peer, a value for each round."""

    benchmark: str
    rounds: int
    median: float
    interval: tuple | None


def compare(ours, peer, how):
    """Returns the rounds' values: how many times faster ours is ("ratio"), or its excess in ns ("difference_ns")."""
    if how == "ratio":
        return [b / a for a, b in zip(ours, peer, strict=True)]
    return [(a - b) * 1e9 for a, b in zip(ours, peer, strict=True)]


def make_series(raw, benchmark, figure):
    """Compares a figure's two contenders round by round."""
    values = compare(raw.seconds(benchmark, figure.ours), raw.seconds(benchmark, figure.peer), figure.compare)
    return Series(benchmark, len(values), statistics.median(values), median_interval(values))
