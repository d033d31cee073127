# SPDX-License-Identifier: MIT
"""What figures describe and `palstudy compare` does not: where the middle of several runs lies, and distributions. Nothing here is a
claim: gains, means and their intervals come from `palstudy compare` (program.py). The one interval of a mean made here is that of
the tables of docs/evidence/reproduction.md, in whose studies each seed draws clusters and jobs of its own (philly.py refuses others)."""
import math

import numpy as np

LEAST_REPLICATIONS = 8  # as in src/stats/paired.hpp: fewer give no interval, and no band
MIDDLE = 0.8  # share of the combinations of seeds that lies within a band


def _beta_fraction(a, b, x):
    """Continued fraction of the incomplete beta function, by Lentz's method."""
    tiny, c = 1e-300, 1.0
    d = 1.0 / max(1.0 - (a + b) * x / (a + 1.0), tiny)
    value = d
    for m in range(1, 300):
        even = m * (b - m) * x / ((a + 2 * m - 1) * (a + 2 * m))
        odd = -(a + m) * (a + b + m) * x / ((a + 2 * m) * (a + 2 * m + 1))
        for term in (even, odd):
            d = 1.0 / (1.0 + term * d or tiny)
            c = 1.0 + term / c or tiny
            value *= d * c
        if abs(d * c - 1.0) < 1e-14:
            break
    return value


def _t_tail(t, freedom):
    """P(T > t) of Student's t, t >= 0."""
    x = freedom / (freedom + t * t)
    a, b = freedom / 2.0, 0.5
    front = (
        math.exp(math.lgamma(a + b) - math.lgamma(a) - math.lgamma(b) + a * math.log(x) + b * math.log1p(-x))
        if t
        else 0
    )
    if t == 0:
        return 0.5
    below = (
        front * _beta_fraction(a, b, x) / a
        if x < (a + 1) / (a + b + 2)
        else 1 - front * _beta_fraction(b, a, 1 - x) / b
    )
    return below / 2


def t_quantile(freedom):
    """The 97.5 % quantile of Student's t: half the width of a 95 % interval, in standard errors."""
    low, high = 1.0, 13.0  # 12.7 at one degree of freedom
    for _ in range(80):
        middle = (low + high) / 2
        low, high = (middle, high) if _t_tail(middle, freedom) > 0.025 else (low, middle)
    return high


def mean_interval(values):
    """(mean, low, high) with the 95 % t-interval over independent replications; low and high are NaN under 8 of them."""
    values = np.asarray(values, dtype=float)
    n = len(values)
    mean = values.mean(axis=0)
    if n < LEAST_REPLICATIONS:
        return mean, mean * np.nan, mean * np.nan
    half = t_quantile(n - 1) * values.std(axis=0, ddof=1) / math.sqrt(n)
    return mean, mean - half, mean + half


def mean_band(values):
    """(mean, low, high) over the first axis: between low and high lie the middle eight of ten values, which says how far single runs
    differ, however their seeds hang together, and not how sure the mean is. NaN under 8 values."""
    values = np.asarray(values, dtype=float)
    mean = values.mean(axis=0)
    if len(values) < LEAST_REPLICATIONS:
        return mean, mean * np.nan, mean * np.nan
    return (mean, *np.quantile(values, [(1 - MIDDLE) / 2, (1 + MIDDLE) / 2], axis=0))


def band_text(n, what="Bands"):
    """What a caption says of bands over n combinations of seeds."""
    if n >= LEAST_REPLICATIONS:
        return (
            f"{what} hold the middle eight of ten combinations of seeds: how far runs differ, not how sure the mean is."
        )
    return f"No {what.lower()}: {n} of at least {LEAST_REPLICATIONS} combinations of seeds."


def cumulative(values, at):
    """Share of the values that are at most `at`, for each of `at`."""
    values = np.sort(np.asarray(values))
    return np.searchsorted(values, at, side="right") / max(len(values), 1)
