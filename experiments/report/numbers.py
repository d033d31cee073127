# SPDX-License-Identifier: MIT
"""How numbers are written, as `palstudy compare` does. A change is ratio - 1, so minus is less; the interval that is shown is the one that
holds together with the others on the page."""
import math


def to_places(number, digits):
    words = f"{number:.{digits}f}"
    return words[1:] if words.startswith("-") and float(words) == 0 else words


def percent(share, digits=1):
    """0.4294 -> "42.9 %"."""
    return to_places(100 * share, digits) + " %"


def signed(share, digits):
    """0.016 -> "+1.6"."""
    words = to_places(100 * share, digits)
    return "+" + words if share > 0 and float(words) else words


def missing(value):
    return value is None or (isinstance(value, float) and math.isnan(value))


def with_interval(mean, low, high, write):
    """ "42.9 % (39.1 % to 44.6 %)", or the mean alone."""
    return write(mean) if missing(low) or missing(high) else f"{write(mean)} ({write(low)} to {write(high)})"


def ends(gain):
    """The ends of the interval of a gain, as ratios; None if it has none."""
    interval = gain["interval"]
    return interval and (interval["together"] or interval["alone"])


def differs(gain):
    """Whether the interval excludes a change of 0."""
    found = ends(gain)
    return bool(found) and (found[0] > 1 or found[1] < 1)


def undecided(gain):
    """Whether there is an interval, and it includes 0."""
    return bool(ends(gain)) and not differs(gain)


def places(ratios):
    """Digits that a change is worth: two of half its interval, or a tenth of a percent without one."""
    if not ratios:
        return 1
    error = 50 * (ratios[1] - ratios[0])
    return max(0, min(6, 1 - math.floor(math.log10(error)))) if error > 0 else 6


def change_text(gain):
    """For tables: "-42.9 %", "~" if no difference was found, or "no claim"."""
    if not gain["pairs"]:
        return "no claim"
    return "~" if undecided(gain) else signed(gain["ratio"] - 1, places(ends(gain))) + " %"


def interval_text(gain, ratios=None):
    """For tables: "-38.1 to -24.0 %"; "" without an interval. `ratios`: of other ends than those that are shown."""
    found = ratios or ends(gain)
    if not found:
        return ""
    low, high = (signed(ratio - 1, places(ends(gain))) for ratio in found)
    return f"{low} to {high} %"


def range_words(ratios, digits, words):
    """From the smaller change to the larger: "24.0 to 38.1 %", or "10.1 % shorter to 1.6 % longer". `words` are those of less and of
    more."""
    sizes = [to_places(100 * abs(ratio - 1), digits) for ratio in ratios]
    if (ratios[0] < 1) != (ratios[1] < 1):
        return f"{sizes[0]} % {words[0]} to {sizes[1]} % {words[1]}"
    return " to ".join(reversed(sizes) if ratios[0] < 1 else sizes) + " %"


def change_words(gain, time):
    """For sentences: "42.9 % shorter (24.0 to 38.1 %)", "no difference found (-1 to +2 %)"."""
    if not gain["pairs"]:
        return "no claim"
    if undecided(gain):
        return f"no difference found ({interval_text(gain)})"
    words, digits, found = less_and_more(time), places(ends(gain)), ends(gain)
    size = f"{percent(abs(gain['ratio'] - 1), digits)} {words[gain['ratio'] >= 1]}"
    return f"{size} ({range_words(found, digits, words)})" if found else size


def less_and_more(time):
    return ("shorter", "longer") if time else ("less", "more")


def three_digits(value):
    """33.1, 0.362, 1,194."""
    digits = 2 - math.floor(math.log10(abs(value))) if value else 0
    return f"{value:.3g}" if digits > 6 else f"{value:,.{max(digits, 0)}f}"


def count(n, one, many=None):
    """1 run, 2 runs, 10,000 runs."""
    return f"{n:,} {one if n == 1 else many or one + 's'}"


def short(value):
    """A value of an axis: paths by their name alone, numbers without trailing zeros."""
    if isinstance(value, str):
        name = value.rsplit("/", 1)[-1]
        return name[:-4] if name.endswith((".csv", ".toml")) and len(name) > 5 else name
    return f"{value:.12g}" if isinstance(value, float) else str(value)
