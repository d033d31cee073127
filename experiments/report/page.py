# SPDX-License-Identifier: MIT
"""The page: one HTML file that holds everything, and asks for nothing from elsewhere. It begins with the answer; what must be known
beside it follows as notes, and all else is folded or stands below."""
import html
import re

from . import labels
from .numbers import (
    change_text,
    count,
    ends,
    interval_text,
    missing,
    places,
    short,
    signed,
    three_digits,
)

MARK = 'id="answer"'  # by which a page of ours is known
MOST_NOTES, HOUR = 5, 3600.0
SEVERITIES = ("stop", "care", "info")  # the heaviest first
ANSWERS = ("failed", "unfinished", "unstable", "no-baseline")  # without a claim these notes are the answer
MOST_LEFT_OUT = 40
MANY_AXES = 2  # with more, the columns that name a row are broken

CSS = """
:root { color-scheme: light; }
body { font: 16px/1.5 system-ui, "DejaVu Sans", sans-serif; color: #111; background: #fff; margin: 0 auto; max-width: 66rem; padding: 1.5rem; }
h1 { font-size: 1.35rem; line-height: 1.25; margin: 0 0 .2rem; } h2 { font-size: 1.2rem; margin: 2rem 0 .4rem; border-bottom: 1px solid #bbb; }
.answer { display: grid; grid-template-columns: 3fr 2fr; gap: 0 2rem; align-items: start; margin: 1.2rem 0 .6rem; }
.answer p { margin: 0 0 .3rem; } .answer .large { font-size: 1.6rem; line-height: 1.3; font-weight: 600; } .grey, .small { color: #555; } .small { font-size: .85rem; }
.small p { margin: 0; } figure { margin: 1.4rem 0 2rem; break-inside: avoid; } figure svg { width: 100%; min-width: 45rem; height: auto; display: block; }
figcaption { margin-top: .4rem; } figcaption p { margin: .3rem 0; } figure h3 { margin: 0 0 .4rem; font-size: 1.05rem; }
table { border-collapse: collapse; font-size: .9rem; margin: .6rem 0; } th, td { padding: .15rem .8rem .15rem 0; text-align: left; border-bottom: 1px solid #ddd; vertical-align: top; }
td.n, th.n { text-align: right; font-variant-numeric: tabular-nums; } td.n, th { white-space: nowrap; } td.k { white-space: nowrap; }
pre, code { font-family: "DejaVu Sans Mono", monospace; font-size: .82rem; overflow-wrap: anywhere; } pre { white-space: pre-wrap; background: #f4f4f4; padding: .5rem .7rem; margin: .5rem 0; }
ul.notes { list-style: none; padding: 0; margin: .4rem 0; } ul.notes li { margin: .15rem 0; } .stop, .care, .info { display: inline-block; min-width: 2.8rem; font-size: .85rem; }
.stop, .warning { color: #8a1c00; } .stop, .care { font-weight: 600; } .care { color: #7a4b00; } .info { color: #555; } details { margin: .3rem 0; } summary { cursor: pointer; color: #005a8c; }
.wide { overflow-x: auto; } nav ul { columns: 2; padding-left: 1.2rem; } a { color: #005a8c; } dt { font-weight: 600; margin-top: .6rem; } dd { margin: 0; }
@media (max-width: 48rem) { body { padding: 1rem; } .answer { grid-template-columns: 1fr; } .answer .large { font-size: 1.35rem; } nav ul { columns: 1; } td.k { white-space: normal; } .wide:not(.scroll) td:last-child { overflow-wrap: anywhere; } .scroll::before { content: "Scroll sideways to see all of it."; font-size: .8rem; color: #555; } }
@media print { body { font-size: 10pt; max-width: none; padding: 0; } nav { display: none; } pre { border: 1px solid #ccc; } figure svg { min-width: 0; } }
"""


def escape(text):
    return html.escape(str(text), quote=True)


def prose(text):
    """Escaped, with numbers kept to their percent signs, and `words` as code."""
    return re.sub(r"`([^`]*)`", r"<code>\1</code>", re.sub(r"(\d) %", "\\1\u00a0%", escape(text)))


def sentence(words):
    """With a capital, unless it begins with the name of a thing, and a full stop."""
    first = words.split(" ", 1)[0].strip(":,")
    start = words[0].upper() + words[1:] if first.isalpha() else words
    return prose(start + ("" if words.endswith((".", ":")) else "."))


def paragraphs(lines):
    return "".join(f"<p>{sentence(line)}</p>" for line in lines)


def folded(summary, body):
    return f"<details><summary>{escape(summary)}</summary>{body}</details>" if body else ""


def table(header, rows, numeric=(), kept=(), wide="wide"):
    """An HTML table, with a header if there is one; columns in `numeric` are set to the right, those in `kept` are not broken if there
    is room."""

    def cell(tag, place, value):
        kind = " class=n" if place in numeric else " class=k" if place in kept else ""
        return f"<{tag}{kind}>{escape(value) if place in numeric else prose(value)}</{tag}>"

    lines = ["<tr>" + "".join(cell("th", place, name) for place, name in enumerate(header)) + "</tr>"] if header else []
    lines += ["<tr>" + "".join(cell("td", place, value) for place, value in enumerate(row)) + "</tr>" for row in rows]
    return f'<div class="{wide}"><table>{"".join(lines)}</table></div>' if rows else ""


def head_section(title, question, counts, digest):
    asked = f"<p>{prose(question)}</p>" if question else ""
    return f"""<h1>{prose(title)}</h1>
{asked}<p class="small">{prose(counts)}; digest <a href="#reproduce"><code>{escape(digest[:8])}</code></a></p>"""


def counts_text(study, left_out):
    """ "48 runs: 6 placements x 8 traces; 64 GPUs", of the study as `palstudy compare` has it."""
    axes = " x ".join(
        f"{one['values']:,} {labels.key(one['key'])}"
        if "." in labels.key(one["key"])
        else count(one["values"], labels.key(one["key"]))
        for one in study["axes"]
    )
    sizes = dict.fromkeys(f"{size:,}" for size in study["gpus"] or ())
    parts = [
        count(study["runs"], "run") + (f": {axes}" if axes else ""),
        f"{' to '.join(sizes)} GPUs" if sizes else "",
        f"{count(len(left_out), 'run')} left out" if left_out else "",
    ]
    return "; ".join(part for part in parts if part)


def answer_section(answer):
    large = " ".join(prose(one) for one in answer.sentences)
    return f"""<div class="answer" {MARK}><p class="large">{large}</p><div class="grey">{paragraphs(answer.beside)}</div></div>
<div class="small" id="over">{paragraphs(answer.under)}</div>"""


def names_section(renamed):
    """What the labels of figures are called in the study, and so in the table of all metrics."""
    rows = [(words, f"`{name}`") for words, name in renamed]
    return f'<div class="small" id="names">{table(["on this page", "in the study"], rows)}</div>' if rows else ""


def by_weight(notes, claimed):
    """The notes that stand first, of each id one, the heaviest first; and all others. Those that are the answer are left out."""
    notes = sorted(
        (note for note in notes if claimed or note["id"] not in ANSWERS),
        key=lambda note: SEVERITIES.index(note["severity"]),
    )
    first = list({note["id"] or note["text"]: note for note in reversed(notes)}.values())
    first = [note for note in notes if any(note is one for one in first)][:MOST_NOTES]
    return first, [note for note in notes if not any(note is one for one in first)]


def notes_section(first, others):
    if not first:
        return ""
    return "<h2>Notes</h2>" + note_list(first) + folded(f"{len(others):,} more", note_list(others) if others else "")


def note_list(notes):
    lines = [
        f"<li><span class={note['severity']}>{note['severity']}</span> "
        + (f'<a href="#note-{escape(note["id"])}">{escape(note["id"])}</a>: ' if note["id"] else "")
        + f"{prose(note['text'])}</li>"
        for note in notes
    ]
    return f'<ul class="notes">{"".join(lines)}</ul>'


def meanings_section(explained):
    """What notes mean, by `palstudy explain`."""
    if not explained:
        return ""
    parts = [
        f'<dt id="note-{escape(one["id"])}">{escape(one["id"])} ({escape(one["severity"])})</dt>'
        f"<dd>{prose(one['summary'])} {prose(one['text'])}</dd>"
        for one in explained
    ]
    return f"<h2>What the notes mean</h2><dl>{''.join(parts)}</dl>"


def metrics_section(found):
    """Every change of `palstudy compare`, number by number, folded. Columns that would say nothing are left out."""
    rows = [(group, gain) for group in found["groups"] for gain in group["gains"]]
    units = {one["name"]: unit_of(found, one) for one in found["metrics"]}
    several = any(gain["interval"] and gain["interval"]["together"] for _, gain in rows)
    by = list(rows[0][0]["at"])
    columns = [
        *((key, lambda group, _, key=key: short(group["at"][key]), True) for key in by),
        ("policy", lambda _, gain: gain["value"], True),
        ("against", lambda _, gain: gain["baseline"], True),
        ("metric", lambda _, gain: gain["metric"], True),
        ("mean", lambda group, gain: mean_text(group, gain, units), True),
        ("change", lambda _, gain: change_text(gain), True),
        (
            "95 %, together" if several else "95 % interval",
            lambda _, gain: interval_text(gain),
            any(ends(gain) for _, gain in rows),
        ),
        ("alone", lambda _, gain: alone_text(gain), several),
        ("least", lambda _, gain: pair_text(gain, 0), True),
        ("most", lambda _, gain: pair_text(gain, 1), True),
        ("better in", lambda _, gain: f"{gain['better']:,} of {gain['pairs']:,}", True),
        (
            "pairs left out",
            lambda _, gain: f"{gain['pairs_of'] - gain['pairs']:,}",
            any(gain["pairs_of"] > gain["pairs"] for _, gain in rows),
        ),
        ("p (Holm)", lambda _, gain: p_text(gain["p_holm"]), any(not missing(gain["p_holm"]) for _, gain in rows)),
    ]
    columns = [(name, write) for name, write, there in columns if there]
    words = len(by) + 3
    shown = table(
        [name for name, _ in columns],
        [[write(*one) for _, write in columns] for one in rows],
        numeric=range(words, len(columns)),
        kept=range(words) if len(by) <= MANY_AXES else (),
        wide="wide scroll",
    )
    told = "A change is the geometric mean of the ratios of paired runs, less 1. ~ is no difference found. Least and most are single pairs."
    return folded(f"All metrics ({count(len(rows), 'change')})", f'<p class="small">{told}</p>{shown}')


def unit_of(found, metric):
    """(divisor, name) of the means of a metric: hours of long times."""
    name, unit = metric["name"], metric["unit"]
    means = [one["mean"] or 0 for group in found["groups"] for one in group["pooled_means"] if one["metric"] == name]
    if unit == "s" and max(means, default=0) >= HOUR:
        return HOUR, " h"
    return 1, "" if unit == "1" or unit.startswith("{") else f" {unit}"


def mean_text(group, gain, units):
    """The mean of the policy, over the runs that all have in common."""
    divisor, unit = units[gain["metric"]]
    found = [one for one in group["pooled_means"] if (one["metric"], one["value"]) == (gain["metric"], gain["value"])]
    return three_digits(found[0]["mean"] / divisor) + unit if found and found[0]["mean"] is not None else "-"


def alone_text(gain):
    return interval_text(gain, gain["interval"]["alone"]) if gain["interval"] else ""


def pair_text(gain, end):
    return f"{signed(gain['pair_ratios'][end] - 1, places(ends(gain)))} %" if gain["pairs"] else "-"


def p_text(p):
    return "-" if missing(p) else "<0.0001" if p < 0.0001 else f"{p:.2g}"


def left_out_section(found):
    runs = found.get("left_out", [])
    lines = "".join(f"<li>{escape(run['text'])}</li>" for run in runs[:MOST_LEFT_OUT])
    more = f"<li>{len(runs) - MOST_LEFT_OUT:,} more: palstudy compare --json</li>" if len(runs) > MOST_LEFT_OUT else ""
    return folded(f"Runs left out ({len(runs):,})", f'<ul class="small">{lines}{more}</ul>' if runs else "")


def figure_section(one, svg, commands):
    files = ", ".join(f'<a href="figures/{one.name}.{kind}">{kind.upper()}</a>' for kind in ("svg", "pdf", "csv"))
    same = f"\n# the same numbers in the terminal\n{escape(one.compare)}" if one.compare else ""
    made = folded("Commands", f"<pre>{escape(commands)} --only {escape(one.name)}{same}</pre>")
    return f"""<figure id="{one.name}"><h3>{escape(one.title)}</h3>
<div class="wide scroll">{inline_svg(svg, one.name, one.title)}</div>
<figcaption><p>{prose(one.caption)}</p>
<div class="small">{files} (data) {made}</div></figcaption></figure>"""


def inline_svg(svg, name, label):
    """A figure's SVG to stand in HTML: no prolog, no metadata, ids of its own."""
    svg = svg[svg.index("<svg") :]
    svg = re.sub(r"<metadata>.*?</metadata>", "", svg, flags=re.S)
    svg = re.sub(r'\sxmlns(:\w+)?="[^"]*"', "", svg, count=0)
    svg = re.sub(r'\bid="', f'id="{name}-', svg)
    svg = re.sub(r'(xlink:)?href="#', f'href="#{name}-', svg)
    svg = re.sub(r"url\(#", f"url(#{name}-", svg)
    return svg.replace("<svg ", f'<svg role="img" aria-label="{escape(label)}" ', 1)


def reproduce_section(archive, commands, wrong):
    """The command, the digest and the study, and by what the archive was made."""
    names = ["program_version", "program_commit", "compiler", "compiler_flags", "mpi_version", "hdf5_version", "ranks"]
    names += ["start_utc", "end_utc", "profile.origin"]
    known = [[name, archive.attribute(name)] for name in names if not missing(archive.attribute(name, None))]
    inputs = archive.lines("input_sha256")
    digest = "" if wrong else " (palstudy verify: its rows give the same)"
    return "\n".join(
        [
            '<h2 id="reproduce">How to reproduce it</h2>',
            f"<pre>{escape(commands)}</pre>",
            f'<p class="small">Digest as stored: <code>{escape(archive.attribute("digest"))}</code>{digest}.</p>',
            folded("The study", f"<pre>{escape(archive.attribute('study'))}</pre>"),
            folded("What it was made by", table([], [row for row in known if str(row[1]) not in ("None", "")])),
            folded(
                f"SHA-256 of {count(len(inputs), 'input')}",
                f"<pre>{escape(chr(10).join(inputs))}</pre>" if inputs else "",
            ),
        ]
    )


def page(title, body):
    return f"""<!DOCTYPE html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<link rel="icon" href="data:,"><title>{escape(title)}</title><style>{CSS}</style></head>
<body>
{body}
</body></html>
"""
