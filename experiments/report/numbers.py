# SPDX-License-Identifier: MIT
"""How numbers are written, the same everywhere on the page."""
import math

METRICS = {
    "jct_mean_s": "mean completion time",
    "makespan_s": "makespan",
    "jct_p50_s": "median completion time",
    "jct_p95_s": "p95 completion time",
    "jct_p99_s": "p99 completion time",
    "wait_mean_s": "mean waiting time",
    "jct_log_mean_s": "geometric mean completion time",
    "bounded_slowdown_mean": "mean bounded slowdown",
}


def percent(share, digits=1):
    """0.4294 -> "42.9 %", as `palstudy compare` writes it."""
    words = f"{100 * share:.{digits}f}"
    return (words[1:] if words.startswith("-") and float(words) == 0 else words) + " %"


def missing(value):
    return value is None or (isinstance(value, float) and math.isnan(value))


def between(low, high, write):
    """An interval, or "none"."""
    return "none" if missing(low) or missing(high) else f"{write(low)} to {write(high)}"


def with_interval(mean, low, high, write):
    """ "42.9 % (39.1 % to 44.6 %)", or the mean alone."""
    return write(mean) if missing(low) or missing(high) else f"{write(mean)} ({write(low)} to {write(high)})"


def metric_text(name):
    """A metric in words, where there are shorter ones than its name."""
    return METRICS.get(name, name)


def places_of(gain):
    """Digits that a gain is worth, as `palstudy compare` has it: two of half its interval; one place if it has none."""
    if missing(gain.get("low")):
        return 1
    error = 50 * (gain["high"] - gain["low"])
    return max(0, min(6, 1 - math.floor(math.log10(error)))) if error > 0 else 6


def gain_percent(gain, name="improvement"):
    """A number of a gain, with the digits that it is worth."""
    return percent(gain[name], places_of(gain))


def gain_interval(gain, which=""):
    """ "39.1 % to 44.6 %", or "none"; `which` = "_simultaneous" is the interval that holds together with all others of the metric."""
    return between(gain.get("low" + which), gain.get("high" + which), lambda share: percent(share, places_of(gain)))


def gain_text(gain):
    """A gain of `palstudy compare --json`, in words, with its interval or why there is none."""
    if not gain or not gain.get("pairs"):
        return "no claim"
    if missing(gain.get("low")):
        return f"{gain_percent(gain)} (no interval)"
    return f"{gain_percent(gain)} (95 % interval {gain_interval(gain)})"


def count(n, one, many=None):
    """1 run, 2 runs, 10,000 runs."""
    return f"{n:,} {one if n == 1 else many or one + 's'}"


def short(value):
    """A value of an axis: paths by their name alone, numbers without trailing zeros."""
    if isinstance(value, str):
        name = value.rsplit("/", 1)[-1]
        return name[:-4] if name.endswith((".csv", ".toml")) and len(name) > 5 else name
    return f"{value:.12g}" if isinstance(value, float) else str(value)
