#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Write the two drawings of docs/concepts/overview.md to docs/figures. With --check: fail if they differ from what is there."""
import argparse
import html
import pathlib
import sys

FIGURES = pathlib.Path(__file__).resolve().parent.parent / "docs" / "figures"
WIDTH = 480  # of every drawing; the smallest letters are still 11 pixels high if it is shown 400 wide
PENALTY = 1.7  # of a job whose GPUs lie on two nodes: the default of network.penalty
INK, QUIET, LINE = "#1f2933", "#52606d", "#9aa5b1"
PLAIN, BLUE, AMBER, GREEN = "#f5f7fa", "#1d5fa8", "#f2c14e", "#1e7b4a"
PALE_BLUE, PALE_GREEN, GREY = "#dceafa", "#d9f0e3", "#cbd2d9"


class Drawing:
    """Shapes and words of one SVG, over a white ground of its own, so that it can be read on a dark page."""

    def __init__(self, title: str, description: str, height: int) -> None:
        self.lines = [
            f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {height}" width="{WIDTH}" height="{height}"'
            f' role="img" font-family="sans-serif" font-size="14" fill="{INK}">',
            "<!-- SPDX-License-Identifier: MIT. Written by scripts/drawings.py; do not edit. -->",
            f"<title>{html.escape(title)}</title>",
            f"<desc>{html.escape(description)}</desc>",
            '<defs><marker id="head" viewBox="0 0 8 8" refX="7" refY="4" markerWidth="8" markerHeight="8" orient="auto"'
            f' markerUnits="userSpaceOnUse"><path d="M0 0 L8 4 L0 8 Z" fill="{QUIET}"/></marker></defs>',
        ]
        self.box(0.5, 0.5, WIDTH - 1, height - 1, "#ffffff", LINE, 8)

    def box(
        self,
        x: float,
        y: float,
        wide: float,
        high: float,
        fill: str,
        line: str = LINE,
        round_by: int = 5,
        thick: int = 1,
    ) -> None:
        self.lines.append(
            f'<rect x="{x:g}" y="{y:g}" width="{wide:g}" height="{high:g}" rx="{round_by}" fill="{fill}" stroke="{line}"'
            f' stroke-width="{thick}"/>'
        )

    def text(
        self,
        x: float,
        y: float,
        words: str,
        size: int = 14,
        fill: str = INK,
        bold: bool = False,
        anchor: str = "middle",
    ) -> None:
        weight = ' font-weight="bold"' if bold else ""
        self.lines.append(
            f'<text x="{x:g}" y="{y:g}" font-size="{size}" fill="{fill}" text-anchor="{anchor}"{weight}>'
            f"{html.escape(words)}</text>"
        )

    def arrow(self, x: float, y: float, to_x: float, to_y: float) -> None:
        self.lines.append(
            f'<path d="M{x:g} {y:g} L{to_x:g} {to_y:g}" stroke="{QUIET}" stroke-width="1.5" fill="none"'
            ' marker-end="url(#head)"/>'
        )

    def labelled(self, x: float, y: float, wide: float, words: list[str], fill: str, line: str = LINE) -> None:
        """A box with a bold first line and quiet ones under it."""
        self.box(x, y, wide, 16 + 18 * len(words), fill, line)
        for number, one in enumerate(words):
            first = number == 0
            self.text(x + wide / 2, y + 22 + 18 * number, one, 15 if first else 13, INK if first else QUIET, bold=first)

    def svg(self) -> str:
        return "\n".join([*self.lines, "</svg>", ""])


def how_a_run_flows() -> str:
    """From a study to an answer, from top to bottom."""
    drawing = Drawing(
        "How a run flows",
        "A study, measurements of GPUs and jobs are made into inputs. The runs are shared among MPI ranks. Each rank appends"
        " finished runs to a shard. The shards are merged into one HDF5 archive, which compare and report read.",
        556,
    )
    third, gap, left = 140, 15, 15
    sources = [
        ["GPUs", "a profile", "or a table"],
        ["study", "one TOML file,", "with its axes"],
        ["jobs", "a trace", "or a generator"],
    ]
    for place, words in enumerate(sources):
        x = left + place * (third + gap)
        drawing.labelled(x, 15, third, words, PALE_BLUE if place == 1 else PLAIN, BLUE if place == 1 else LINE)
        drawing.arrow(x + third / 2, 85, x + third / 2, 112)
    drawing.labelled(15, 114, 450, ["inputs", "clusters and jobs, the same for every policy"], PLAIN)
    drawing.arrow(240, 166, 240, 192)
    drawing.labelled(15, 194, 450, ["runs", "each point of the axes, for each seed"], PLAIN)
    quarter = 102
    for rank in range(4):
        x = left + rank * (quarter + 14)
        middle = x + quarter / 2
        drawing.arrow(middle, 246, middle, 272)
        drawing.labelled(x, 274, quarter, [f"rank {rank}", "simulates"], PALE_BLUE, BLUE)
        drawing.arrow(middle, 326, middle, 352)
        drawing.labelled(x, 354, quarter, ["shard"], PLAIN)
        drawing.arrow(middle, 388, middle, 414)
    drawing.labelled(15, 416, 450, ["archive", "one HDF5 file: every run, and its study"], PALE_GREEN, GREEN)
    readers = [["compare", "gains, notes"], ["report", "a page, figures"], ["verify", "digests"]]
    for place, words in enumerate(readers):
        x = left + place * (third + gap)
        drawing.arrow(x + third / 2, 468, x + third / 2, 490)
        drawing.labelled(x, 492, third, words, PLAIN)
    return drawing.svg()


SLOW, BUSY = 3, 7  # the places of the slow GPU and of the one that another job holds; node 0 has GPUs 0 to 3
FREE = [gpu for gpu in range(8) if gpu != BUSY]


def node_of(gpu: int) -> int:
    return gpu // 4


def packed(slowdowns: list[float]) -> list[int]:
    """src/policy/placement/packed.cpp for a job of four: the node that it fills best."""
    del slowdowns  # packed looks at places alone
    fits = [node for node in range(2) if sum(node_of(gpu) == node for gpu in FREE) >= 4]
    return [gpu for gpu in FREE if node_of(gpu) == fits[0]][:4]


def pm_first(slowdowns: list[float]) -> list[int]:
    """src/policy/placement/pm_first.cpp for a job of four: the fastest; of equal ones, those of a node with about four."""

    def key(gpu: int) -> tuple[float, int, int]:
        alike = sum(node_of(other) == node_of(gpu) and slowdowns[other] == slowdowns[gpu] for other in FREE)
        return slowdowns[gpu], abs(alike - 4), gpu

    return sorted(sorted(FREE, key=key)[:4])


def pal(slowdowns: list[float]) -> list[int]:
    """src/policy/placement/pal.cpp for a job of four: the least product of slowdown and penalty that the GPUs allow."""
    products = [(value * factor, factor, value) for value in sorted(set(slowdowns)) for factor in (1.0, PENALTY)]
    for _, factor, value in sorted(products):
        enough = [gpu for gpu in FREE if slowdowns[gpu] <= value]
        if factor > 1 and len(enough) >= 4:
            return pm_first(slowdowns)
        for node in range(2):
            inside = [gpu for gpu in enough if node_of(gpu) == node]
            if factor == 1 and len(inside) >= 4:
                return inside[:4]
    raise ValueError("fewer than four GPUs are free")


def factor_of(chosen: list[int]) -> float:
    return PENALTY if len({node_of(gpu) for gpu in chosen}) > 1 else 1.0


def time_on(slowdowns: list[float], chosen: list[int]) -> float:
    """Of the job, relative to four fast GPUs of one node: a gang runs at the pace of its slowest GPU."""
    return max(slowdowns[gpu] for gpu in chosen) * factor_of(chosen)


def nodes(drawing: Drawing, x: float, y: float, chosen: list[int]) -> None:
    """The two nodes, one under the other, with what each GPU does."""
    wide, high = 46, 22
    for node in range(2):
        top = y + node * 32
        drawing.box(x, top, 4 * wide + 10, high + 6, PLAIN)
        for slot in range(4):
            gpu = 4 * node + slot
            left, taken = x + 5 + slot * wide, gpu in chosen
            ground = GREY if gpu == BUSY else BLUE if taken else "#ffffff"
            drawing.box(
                left + 2, top + 3, wide - 4, high, ground, AMBER if gpu == SLOW else LINE, 3, 4 if gpu == SLOW else 1
            )
            words = "busy" if gpu == BUSY else "slow" if gpu == SLOW else "job" if taken else "free"
            drawing.text(left + wide / 2, top + 18.5, words, 13, "#ffffff" if taken else INK, bold=taken)


def one_slow_gpu() -> str:
    """Three placements, a column for each slowdown of the slow GPU."""
    drawing = Drawing(
        "Where a job of four GPUs goes if one GPU is slow",
        "Two nodes of four GPUs. One GPU of the first node is slow, one of the second node is busy. Packed takes the first node,"
        " PM-First takes fast GPUs of both. PAL does as PM-First if the slow GPU takes 2.5 times as long, and as packed if it"
        " takes 1.3 times as long.",
        404,
    )
    drawing.text(WIDTH / 2, 26, "One job wants four GPUs. Where does it go?", 17, bold=True)
    drawing.text(WIDTH / 2, 47, f"A frame is a node. A job on two nodes takes {PENALTY:g} times as long.", 13, QUIET)
    rows = [("packed", packed), ("PM-First", pm_first), ("PAL", pal)]
    for column, slowdown in enumerate((2.5, 1.3)):
        x = 25 + column * 236
        slowdowns = [slowdown if gpu == SLOW else 1.0 for gpu in range(8)]
        best = min(time_on(slowdowns, choose(slowdowns)) for _, choose in rows)
        drawing.text(x + 97, 78, f"slow GPU: slowdown {slowdown:g}", 14, bold=True)
        for row, (name, choose) in enumerate(rows):
            y, chosen = 104 + row * 100, choose(slowdowns)
            time = time_on(slowdowns, chosen)
            sum_of = f"{max(slowdowns[gpu] for gpu in chosen):g} × {factor_of(chosen):g} = {time:g}"
            nodes(drawing, x, y + 6, chosen)
            drawing.text(x, y, name, 14, bold=True, anchor="start")
            is_best = time == best
            drawing.text(x + 194, y, sum_of, 13, GREEN if is_best else QUIET, is_best, "end")
    drawing.text(WIDTH / 2, 390, "slowdown of the slowest GPU × penalty = time; green is best", 13, QUIET)
    return drawing.svg()


DRAWINGS = {"how-a-run-flows.svg": how_a_run_flows, "one-slow-gpu.svg": one_slow_gpu}


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--check", action="store_true", help="write nothing; fail if a drawing differs")
    check = parser.parse_args().check
    wrong = 0
    for name, draw in DRAWINGS.items():
        file, svg = FIGURES / name, draw()
        if not check:
            file.write_text(svg, encoding="utf-8")
        elif not file.exists() or file.read_text(encoding="utf-8") != svg:
            wrong += 1
            print(f"docs/figures/{name} differs: run scripts/drawings.py", file=sys.stderr)
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
