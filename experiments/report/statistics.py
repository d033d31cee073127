# SPDX-License-Identifier: MIT
"""The little that `palstudy compare` does not compute: intervals of means and of distributions over replications. Gains and
their intervals are never computed here; program.py asks `palstudy compare` for them."""
import math

import numpy as np

LEAST_REPLICATIONS = 8  # as in src/stats/paired.hpp: fewer give no interval


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
    front = math.exp(math.lgamma(a + b) - math.lgamma(a) - math.lgamma(b) + a * math.log(x) + b * math.log1p(-x)) if t else 0
    if t == 0:
        return 0.5
    below = front * _beta_fraction(a, b, x) / a if x < (a + 1) / (a + b + 2) else 1 - front * _beta_fraction(b, a, 1 - x) / b
    return below / 2


def t_quantile(freedom):
    """The 97.5 % quantile of Student's t: half the width of a 95 % interval, in standard errors."""
    low, high = 1.0, 13.0  # 12.7 at one degree of freedom
    for _ in range(80):
        middle = (low + high) / 2
        low, high = (middle, high) if _t_tail(middle, freedom) > 0.025 else (low, middle)
    return high


def mean_interval(values):
    """(mean, low, high) with the 95 % t-interval over the first axis; low and high are NaN under 8 replications."""
    values = np.asarray(values, dtype=float)
    n = len(values)
    mean = values.mean(axis=0)
    if n < LEAST_REPLICATIONS:
        return mean, mean * np.nan, mean * np.nan
    half = t_quantile(n - 1) * values.std(axis=0, ddof=1) / math.sqrt(n)
    return mean, mean - half, mean + half


def geometric_interval(values):
    """(mean, low, high) of positive values on the logarithm: the mean is the geometric one."""
    return tuple(np.exp(one) for one in mean_interval(np.log(np.asarray(values, dtype=float))))


def no_interval(n):
    """Why there is no interval, as a sentence, or ""."""
    if n >= LEAST_REPLICATIONS:
        return ""
    return f"No interval: {n} of at least {LEAST_REPLICATIONS} replications (combinations of seeds)."


def cumulative(values, at):
    """Share of the values that are at most `at`, for each of `at`."""
    values = np.sort(np.asarray(values))
    return np.searchsorted(values, at, side="right") / max(len(values), 1)
