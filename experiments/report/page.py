# SPDX-License-Identifier: MIT
"""The page: one HTML file that holds everything, and asks for nothing from elsewhere."""
import html
import re

from .numbers import count, gain_interval, gain_percent, metric_text, missing, short
from .program import averaged_text, text_of

MARK = 'id="answer"'  # by which a page of ours is known
MANY_GAINS = 60  # more are folded
MANY_AXES = 2  # with more, the columns that name a row are broken

CSS = """
:root { color-scheme: light; }
body { font: 16px/1.5 system-ui, "DejaVu Sans", sans-serif; color: #111; background: #fff; margin: 0 auto; max-width: 66rem; padding: 1.5rem; }
h1 { font-size: 1.7rem; line-height: 1.25; margin: 0 0 .3rem; } h2 { font-size: 1.25rem; margin: 2.2rem 0 .4rem; border-bottom: 1px solid #bbb; }
figure { margin: 1.6rem 0 2.4rem; break-inside: avoid; } figure svg { width: 100%; min-width: 45rem; height: auto; display: block; }
figcaption { margin-top: .4rem; } figure h3 { margin: 0 0 .4rem; font-size: 1.05rem; }
table { border-collapse: collapse; font-size: .9rem; margin: .8rem 0; } th, td { padding: .15rem .6rem .15rem 0; text-align: left; border-bottom: 1px solid #ddd; }
td.n, th.n { text-align: right; font-variant-numeric: tabular-nums; } td.n, th { white-space: nowrap; }
pre, code { font-family: "DejaVu Sans Mono", monospace; font-size: .82rem; } pre { white-space: pre-wrap; overflow-wrap: anywhere; background: #f4f4f4; padding: .5rem .7rem; margin: .5rem 0; }
.files, .small { font-size: .85rem; color: #444; } .warning { border-left: 4px solid #D55E00; padding-left: .8rem; }
.answer { font-size: 1.1rem; border-left: 4px solid #0072B2; padding-left: .8rem; } code { overflow-wrap: anywhere; }
.wide { overflow-x: auto; } nav ul { columns: 2; padding-left: 1.2rem; } a { color: #005a8c; } td.k { white-space: nowrap; }
@media (max-width: 48rem) { body { padding: 1rem; } nav ul { columns: 1; } td.k { white-space: normal; } .wide:not(.scroll) td:last-child { overflow-wrap: anywhere; } .scroll::before { content: "Scroll sideways to see all of it."; font-size: .8rem; color: #444; } }
@media print { body { font-size: 10pt; max-width: none; padding: 0; } nav { display: none; } pre { border: 1px solid #ccc; } figure svg { min-width: 0; } }
"""


def escape(text):
    return html.escape(str(text), quote=True)


def inline_svg(svg, name, label):
    """A figure's SVG to stand in HTML: no prolog, no metadata, ids of its own."""
    svg = svg[svg.index("<svg") :]
    svg = re.sub(r"<metadata>.*?</metadata>", "", svg, flags=re.S)
    svg = re.sub(r'\sxmlns(:\w+)?="[^"]*"', "", svg, count=0)
    svg = re.sub(r'\bid="', f'id="{name}-', svg)
    svg = re.sub(r'(xlink:)?href="#', f'href="#{name}-', svg)
    svg = re.sub(r"url\(#", f"url(#{name}-", svg)
    return svg.replace("<svg ", f'<svg role="img" aria-label="{escape(label)}" ', 1)


def table(header, rows, numeric=(), kept=(), wide="wide"):
    """An HTML table, with a header if there is one; columns in `numeric` are set to the right, those in `kept` are not broken where there
    is room."""

    def cell(tag, place, value):
        kind = " class=n" if place in numeric else " class=k" if place in kept else ""
        return f"<{tag}{kind}>{escape(value) if place in numeric else prose(value)}</{tag}>"

    lines = ["<tr>" + "".join(cell("th", place, name) for place, name in enumerate(header)) + "</tr>"] if header else []
    lines += ["<tr>" + "".join(cell("td", place, value) for place, value in enumerate(row)) + "</tr>" for row in rows]
    return f'<div class="{wide}"><table>{"".join(lines)}</table></div>'


def answer_section(sentences):
    first, *more = (prose(one) for one in sentences)
    return f'<p class="answer" {MARK}><b>{first}</b> {" ".join(more)}</p>'


def notes_section(warnings, notes):
    """What weighs most first: warnings, then notes."""
    parts = ["<h2>Warnings</h2>"] if warnings else []
    parts += [f'<p class="warning">{sentence(one)}</p>' for one in warnings]
    if notes:
        parts.append(
            '<h2>Notes</h2><ul class="small">' + "".join(f"<li>{sentence(one)}</li>" for one in notes) + "</ul>"
        )
    return "\n".join(parts)


def sentence(words):
    """With a capital, but where it begins with the name of a thing, and a full stop."""
    first = words.split(" ", 1)[0].strip(":,")
    return prose(
        (words[0].upper() + words[1:] if first.isalpha() else words) + ("" if words.endswith((".", ":")) else ".")
    )


def prose(text):
    """Escaped, with numbers kept to their percent signs."""
    return re.sub(r"(\d) %", "\\1\u00a0%", escape(text))


def gains_section(answer):
    """The gains of `palstudy compare`, number by number: a table a baseline of the metric compared, then one of the others."""
    gains = [(group, gain) for group in answer["groups"] for gain in group["gains"]]
    parts = []
    for baseline in dict.fromkeys(gain["baseline"] for _, gain in gains):
        mine = [(group, gain) for group, gain in gains if gain["baseline"] == baseline]
        for main in (True, False):
            some = [(group, gain) for group, gain in mine if (gain["metric"] == answer["metric"]) == main]
            if some:
                head = f"over {baseline}, " + (metric_text(answer["metric"]) if main else "other metrics")
                parts += [f"<h3>Gains {escape(head)}</h3>", gains_table(some, main)]
    averaged = averaged_text([gain for _, gain in gains])
    parts.append(
        '<p class="small">Gain: 1 - geometric mean of the ratios of paired runs, which agree in everything but the policy; '
        "least and most are single pairs. Where more is better a gain is ratio - 1."
        + columns_explained([gain for _, gain in gains], answer["metric"])
        + (f" Gains are {escape(averaged)}." if averaged else "")
        + "</p>"
    )
    said = [gain for _, gain in gains if gain["pairs"]]
    parts += [
        f"<p>{sentence(before + one)}</p>"
        for name, before in (
            ("scope", "95 % intervals "),
            ("coverage", "such intervals, "),
            ("no_interval", "no interval: "),
        )
        for one in distinct(said, name)
    ]
    donors = text_of(answer, "donors")
    parts += [
        f"<p>{sentence(one)}</p>"
        for one in (text_of(answer, "up-to-end"), answer["stop"], donors and "intervals are " + donors)
        if one
    ]
    return "\n".join(parts)


def columns_explained(gains, metric):
    """What stands in the columns that not every page has, of those that this one has."""
    words = ""
    if any(at_once(gain) and gain["metric"] == metric for gain in gains):
        words += " All at once: intervals that hold together for all comparisons of a metric."
    if any(not missing(gain.get("p_holm")) for gain in gains):
        words += " p: how probable a difference as large would be if there were none, corrected for all comparisons of a metric after Holm."
    return words


def at_once(gain):
    return gain.get("comparisons", 1) > 1 and not missing(gain.get("low"))


def distinct(gains, name):
    return list(dict.fromkeys(gain[name] for gain in gains if gain.get(name)))


def gains_table(some, main):
    """Columns that would say nothing are left out."""
    by = list(some[0][0]["at"])
    columns = [
        *((key, lambda group, _, key=key: short(group["at"][key]), True) for key in by),
        ("policy", lambda _, gain: gain["policy"], True),
        ("metric", lambda _, gain: gain["metric"], not main),
        ("gain", lambda _, gain: gain_percent(gain) if gain["pairs"] else "no claim", True),
        ("95 % interval", lambda _, gain: gain_interval(gain), True),
        (
            "all at once",
            lambda _, gain: gain_interval(gain, "_simultaneous"),
            main and any(at_once(gain) for _, gain in some),
        ),
        *(
            (name, lambda _, gain, name=name: gain_percent(gain, name) if gain["pairs"] else "-", True)
            for name in ("least", "most")
        ),
        ("better in", lambda _, gain: wins(gain), True),
        (
            "of pairs",
            lambda _, gain: f"{gain['pairs']:,} of {gain['pairs_of']:,}",
            any(left_out(gain) for _, gain in some),
        ),
        (
            "p (Holm)",
            lambda _, gain: p_text(gain.get("p_holm")),
            any(not missing(gain.get("p_holm")) for _, gain in some),
        ),
    ]
    columns = [(name, write) for name, write, there in columns if there]
    words = len(by) + (1 if main else 2)
    shown = table(
        [name for name, _ in columns],
        [[write(*one) for _, write in columns] for one in some],
        numeric=range(words, len(columns)),
        kept=range(words) if len(by) <= MANY_AXES else (),
        wide="wide scroll",
    )
    return shown if len(some) <= MANY_GAINS else f"<details><summary>{len(some):,} gains</summary>{shown}</details>"


def left_out(gain):
    return gain.get("pairs_of", gain["pairs"]) > gain["pairs"]


def wins(gain):
    """In how many pairs the policy is better."""
    return f"{gain['wins']:,} of {gain['pairs']:,}" if "wins" in gain else "-"


def p_text(p):
    return "-" if missing(p) else "<0.0001" if p < 0.0001 else f"{p:.2g}"


def excluded_section(answer):
    excluded = [run["text"] for run in answer.get("left_out", [])]
    if not excluded:
        return ""
    shown = "".join(f"<li>{escape(line)}</li>" for line in excluded[:8])
    more = f"<li>and {len(excluded) - 8:,} more (palstudy compare --json names them)</li>" if len(excluded) > 8 else ""
    return (
        f'<div class="warning"><p>{len(excluded):,} of {count(answer["study"]["runs"], "run")} make no claim, nor do their '
        f'pairs:</p><ul class="small">{shown}{more}</ul></div>'
    )


def figure_section(one, svg, commands):
    files = ", ".join(f'<a href="figures/{one.name}.{kind}">{kind.upper()}</a>' for kind in ("svg", "pdf", "csv"))
    same = f"\n# the same numbers in the terminal\n{escape(one.compare)}" if one.compare else ""
    return f"""<figure id="{one.name}"><h3>{escape(one.title)}</h3>
<div class="wide scroll">{inline_svg(svg, one.name, one.title)}</div>
<figcaption><p>{prose(one.caption)}</p>
<p class="files">{files} (data)</p>
<pre>{escape(commands)} --only {escape(one.name)}{same}</pre></figcaption></figure>"""


def page(title, body):
    return f"""<!DOCTYPE html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<link rel="icon" href="data:,"><title>{escape(title)}</title><style>{CSS}</style></head>
<body>
{body}
</body></html>
"""


def provenance_section(archive):
    names = [
        "program_version",
        "program_commit",
        "compiler",
        "compiler_flags",
        "mpi_version",
        "hdf5_version",
        "ranks",
        "start_utc",
        "end_utc",
        "profile.origin",
        "digest",
    ]
    rows = [
        ["digest, as stored" if name == "digest" else name, archive.attribute(name)]
        for name in names
        if not missing(archive.attribute(name, None))
    ]
    inputs = archive.lines("input_sha256")
    listed = f"<p>SHA-256 of every input:</p><pre>{escape(chr(10).join(inputs))}</pre>" if inputs else ""
    return table(["what", "value"], [row for row in rows if str(row[1]) != "None" and row[1] != ""]) + listed
