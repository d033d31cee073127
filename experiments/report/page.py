# SPDX-License-Identifier: MIT
"""The page: one HTML file that holds everything, and asks for nothing from elsewhere."""
import html
import re

from .numbers import count, gain_interval, gain_percent, missing

CSS = """
:root { color-scheme: light; }
body { font: 16px/1.5 system-ui, "DejaVu Sans", sans-serif; color: #111; background: #fff; margin: 0 auto; max-width: 60rem; padding: 1.5rem; }
h1 { font-size: 1.7rem; line-height: 1.25; margin: 0 0 .3rem; } h2 { font-size: 1.25rem; margin: 2.2rem 0 .4rem; border-bottom: 1px solid #bbb; }
figure { margin: 1.6rem 0 2.4rem; break-inside: avoid; } figure svg { width: 100%; height: auto; display: block; }
figcaption { margin-top: .4rem; } figure h3 { margin: 0 0 .4rem; font-size: 1.05rem; }
table { border-collapse: collapse; font-size: .9rem; margin: .8rem 0; } th, td { padding: .15rem .7rem .15rem 0; text-align: left; border-bottom: 1px solid #ddd; }
td.n, th.n { text-align: right; font-variant-numeric: tabular-nums; } td.n { white-space: nowrap; }
pre, code { font-family: "DejaVu Sans Mono", monospace; font-size: .82rem; } pre { white-space: pre-wrap; overflow-wrap: anywhere; background: #f4f4f4; padding: .5rem .7rem; margin: .5rem 0; }
.files, .small { font-size: .85rem; color: #444; } .warning { border-left: 4px solid #D55E00; padding-left: .8rem; }
.wide { overflow-x: auto; } nav ul { columns: 2; padding-left: 1.2rem; } a { color: #005a8c; }
@media print { body { font-size: 10pt; max-width: none; padding: 0; } nav { display: none; } pre { border: 1px solid #ccc; } }
"""


def escape(text):
    return html.escape(str(text), quote=True)


def inline_svg(svg, name, label):
    """A figure's SVG to stand in HTML: no prolog, no metadata, ids of its own."""
    svg = svg[svg.index("<svg"):]
    svg = re.sub(r"<metadata>.*?</metadata>", "", svg, flags=re.S)
    svg = re.sub(r'\sxmlns(:\w+)?="[^"]*"', "", svg, count=0)
    svg = re.sub(r'\bid="', f'id="{name}-', svg)
    svg = re.sub(r'(xlink:)?href="#', f'href="#{name}-', svg)
    svg = re.sub(r"url\(#", f"url(#{name}-", svg)
    return svg.replace("<svg ", f'<svg role="img" aria-label="{escape(label)}" ', 1)


def table(header, rows, numeric=()):
    """An HTML table; columns in `numeric` are set to the right."""
    def cell(tag, place, value):
        return f'<{tag}{" class=n" if place in numeric else ""}>{escape(value)}</{tag}>'

    lines = ["<tr>" + "".join(cell("th", place, name) for place, name in enumerate(header)) + "</tr>"]
    lines += ["<tr>" + "".join(cell("td", place, value) for place, value in enumerate(row)) + "</tr>" for row in rows]
    return f'<div class="wide"><table>{"".join(lines)}</table></div>'


def gains_section(answer):
    """The gains of `palstudy compare`, number by number."""
    rows = [[gain["policy"], gain["baseline"], gain["metric"],
             *((gain_percent(gain, name) for name in ("improvement", "least", "most")) if gain["pairs"] else ("-", "-", "-")),
             gain["pairs"], gain.get("replications", 0), gain_interval(gain), wins(gain), p_text(gain.get("p_holm"))]
            for group in answer["groups"] for gain in group["gains"]]
    why = list(dict.fromkeys(gain["no_interval"] for group in answer["groups"] for gain in group["gains"]
                             if gain.get("no_interval")))
    header = ["policy", "over", "metric", "gain", "least", "most", "pairs", "replications", "95 % interval", "wins", "p (Holm)"]
    said = [answer.get(name) for name in ("measured", "offered_load", "overloaded")]
    parts = [f"<p>{escape(line[0].upper() + line[1:])}.</p>" for line in said if line]
    parts += [table(header, rows, numeric=(3, 4, 5, 6, 7, 8, 9, 10)),
             '<p class="small">Gain: 1 - geometric mean of the ratios of paired runs, which agree in everything but the policy; '
             "least and most are single pairs. A replication is a combination of seeds. Where more is better a gain is ratio - 1. "
             "p is of no difference, corrected for all comparisons of the table after Holm.</p>"]
    parts += [f"<p>No interval: {escape(reason)}.</p>" for reason in why]
    parts += [f'<p class="warning">{escape(warning[0].upper() + warning[1:])}.</p>' for warning in answer.get("warnings", [])]
    if answer.get("until_end"):
        parts.append(f"<p>{escape(answer['until_end'])}.</p>")
    if answer.get("given"):
        parts.append(f"<p>Intervals are {escape(answer['given'])}.</p>")
    return "\n".join(parts)


def wins(gain):
    """In how many pairs the policy is better."""
    return f"{gain['wins']} of {gain['pairs']}" if "wins" in gain else "-"


def p_text(p):
    return "-" if missing(p) else "<0.0001" if p < 0.0001 else f"{p:.2g}"


def excluded_section(answer):
    excluded = answer.get("excluded", [])
    if not excluded:
        return ""
    shown = "".join(f"<li>{escape(line)}</li>" for line in excluded[:8])
    more = f"<li>and {len(excluded) - 8:,} more (palstudy compare --json names them)</li>" if len(excluded) > 8 else ""
    return (f'<div class="warning"><p>{len(excluded):,} of {count(answer["runs"], "run")} make no claim, nor do their '
            f'pairs:</p><ul class="small">{shown}{more}</ul></div>')


def figure_section(one, svg, commands):
    files = ", ".join(f'<a href="figures/{one.name}.{kind}">{kind.upper()}</a>' for kind in ("svg", "pdf", "csv"))
    same = f"\n# the same numbers in the terminal\n{escape(one.compare)}" if one.compare else ""
    return f"""<figure id="{one.name}"><h3>{escape(one.title)}</h3>
{inline_svg(svg, one.name, one.title)}
<figcaption><p>{escape(one.caption)}</p>
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
    names = ["program_version", "program_commit", "compiler", "compiler_flags", "mpi_version", "hdf5_version", "ranks",
             "start_utc", "end_utc", "profile.origin", "digest"]
    rows = [[name, archive.attribute(name)] for name in names if not missing(archive.attribute(name, None))]
    inputs = archive.lines("input_sha256")
    listed = f"<p>SHA-256 of every input:</p><pre>{escape(chr(10).join(inputs))}</pre>" if inputs else ""
    return table(["what", "value"], [row for row in rows if str(row[1]) != "None" and row[1] != ""]) + listed
