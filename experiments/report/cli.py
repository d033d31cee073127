# SPDX-License-Identifier: MIT
"""The command line: parse, make the figures, write the page."""
import argparse
import os
import pathlib
import shlex
import sys
import traceback

from . import labels
from . import page as html
from . import style
from .answer import answer_of, without_comparison
from .archive import Archive, command_words
from .assumptions import assumptions
from .errors import LeftOut, NoClaim, ReportError, data_error, usage_error
from .figure import Context, entries
from .numbers import count
from .program import Compare, find_program
from .spreadsheet import to_csv
from .verification import Verification
from .whole_file import write_whole

LEAD = "gains"  # the figure that stands beside the answer


class Parser(argparse.ArgumentParser):
    def error(self, message):
        raise usage_error(message, "", f"{self.prog} --help tells what there is")


def arguments(words):
    parser = Parser(
        prog="palstudy-report",
        description="Makes a page and figures of an archive of palstudy run: "
        "DIR/index.html, and DIR/figures/ with each figure as SVG and PDF and its data as CSV.",
        epilog="Exit codes: 0 done, 1 a fault of ours, 2 command line, 3 input data.",
    )
    parser.add_argument("file", metavar="FILE.h5", help="the archive")
    parser.add_argument("-o", "--output", metavar="DIR", required=True, help="where to; made if it is not there")
    parser.add_argument("--only", action="append", default=[], metavar="FIGURE", help="only this figure; repeatable")
    parser.add_argument(
        "--at",
        action="append",
        default=[],
        metavar="KEY=VALUE",
        help="figures that show one value of an axis show this one; repeatable",
    )
    parser.add_argument("--run", type=int, metavar="N", help="the run that the Gantt chart shows")
    parser.add_argument("--metric", metavar="M", help="as for palstudy compare; by default the study's")
    parser.add_argument("--baseline", action="append", default=[], metavar="POLICY", help="as for palstudy compare")
    parser.add_argument("--palstudy", metavar="PROGRAM", help="the program palstudy; by default the one beside this")
    parser.add_argument("--list", action=ListFigures, help="names the figures, and ends")
    return parser.parse_args(words)


class ListFigures(argparse.Action):
    def __init__(self, option_strings, dest, **options):
        super().__init__(option_strings, dest, nargs=0, **options)

    def __call__(self, parser, *_):
        for entry in entries():
            print(f"{entry.name:20} {entry.title}")
        parser.exit()


def read_at(words):
    pairs = [word.partition("=") for word in words]
    for key, equals, _ in pairs:
        if not equals:
            raise usage_error(f'"{key}" has no value', "--at", "write --at KEY=VALUE")
    return {key: value for key, _, value in pairs}


def chosen_entries(only):
    known = entries()
    for name in only:
        if not any(fits(entry, name) for entry in known):
            raise usage_error(f'unknown figure "{name}"', "--only", "known: " + ", ".join(one.name for one in known))
    return [entry for entry in known if not only or any(fits(entry, name) for name in only)]


def check_asked(archive, options, at):
    """What the archive has nothing of is refused before anything is written."""
    if options.metric and options.metric not in archive.columns("runs"):
        raise usage_error(
            f'unknown metric "{options.metric}"',
            "--metric",
            "known: "
            + ", ".join(name for name in archive.columns("runs") if name.endswith(("_s", "fraction", "_mean", "_p95"))),
        )
    for key in at:
        if key not in archive.axes:
            raise usage_error(
                f'"{key}" is on no axis of this archive', "--at", "its axes are " + (", ".join(archive.axes) or "none")
            )
    policies = [str(name) for name in archive.axes.get(archive.policy_key, [])] or [
        archive.setting(archive.policy_key, run) for run in archive.runs.index[:1]
    ]
    for name in options.baseline:
        if name not in policies:
            raise usage_error(
                f'the archive has no {archive.policy_key.removeprefix("policy.")} "{name}"',
                "--baseline",
                "it has " + ", ".join(policies),
            )
    if options.run is not None and options.run not in archive.runs.index:
        raise usage_error(
            f"there is no run {options.run}", "--run", f"the archive has runs 0 to {archive.runs.index.max()}"
        )


def fits(entry, name):
    """A family of figures (gain-by) has members (gain-by-policy.order)."""
    return name == entry.name or name.startswith(entry.name + "-")


def missing_figures(only, made, left_out):
    """Of the figures that were asked for by name, ["NAME: why"] of those that the archive does not have enough for."""
    told = []
    for name in only:
        reasons = [why for entry, why in left_out if fits(entry, name)] or [
            LeftOut("this archive gives no such figure.")
        ]
        there = any(one.name == name or one.name.startswith(name + "-") for one in made)
        if not there and not isinstance(
            reasons[0], NoClaim
        ):  # of those that make no claim the page has a sentence in their place
            told.append(f"{name}: {reasons[0]}")
    return told


def tell_missing(only, made, left_out):
    """Says which figures that were asked for by name are not there; where that is all of them there is no page."""
    told = missing_figures(only, made, left_out)
    if told and len(told) == len(only):
        raise data_error("\n  ".join(told), "--only")
    for line in told:
        print(f"palstudy-report: --only: {line}", file=sys.stderr)


def make_figures(context, chosen, only):
    """[Figure], and [(entry, why)] of those that this archive does not have enough for, or that would show runs without claim."""
    made, left_out = [], []
    for entry in chosen:
        try:
            some = entry.make(context)
        except LeftOut as why:
            left_out.append((entry, why))
            continue
        some = some if isinstance(some, list) else [some]
        for one in some:
            one.place, one.name, one.title = entry.place, one.name or entry.name, one.title or entry.title
        made += [one for one in some if not only or one.name in only or entry.name in only]
    return made, left_out


def write_figures(made, folder):
    """Writes the files; the SVG of each, by name."""
    folder.mkdir(parents=True, exist_ok=True)
    svgs = {}
    for one in made:
        svg, pdf = style.drawn(one.plot)
        for end, content in (("svg", svg), ("pdf", pdf), ("csv", to_csv(one.data))):
            write_whole(folder / f"{one.name}.{end}", content)
        svgs[one.name] = svg.decode("utf-8")
    return svgs


def how_it_was_made(archive, options):
    """The commands from the study to the page; an archive that was resumed or merged has several."""
    made = [shlex.join(map(short_program, command_words(line))) for line in archive.lines("command_line")]
    extra = [word for key in options.at for word in ("--at", key)]
    extra += [] if options.run is None else ["--run", str(options.run)]
    extra += [word for name in options.baseline for word in ("--baseline", name)]
    extra += ["--metric", options.metric] if options.metric else []
    return " && \\\n".join([*made, shlex.join(["palstudy-report", options.file, "-o", options.output, *extra])])


def short_program(word):
    return "palstudy" if os.path.basename(word) == "palstudy" else word


def told_by_compare(context):
    """What `palstudy compare` says of the archive, and why there is no comparison, "" if there is one. Of a study that compares nothing,
    what it says of the runs; {} if it says nothing."""
    try:
        context.need_placements()
        return context.compare(*context.split), ""
    except LeftOut as none:
        try:
            return context.compare.shares("causes"), str(none)
        except LeftOut:
            return {}, str(none)


def all_metrics(context, found):
    """The same of every metric that the archive has."""
    try:
        return context.compare.ask(context.compare.words_of_all(*context.split))
    except LeftOut:
        return found


def names_of(told):
    compared = told.get("compared", {})
    policies = [*compared.get("values", ()), *compared.get("baselines", ())]
    return labels.renamed(policies, [group["at"] for group in told.get("groups", ())])


def body_of(context, wrong, made, svgs, left_out, options):
    """`wrong` is what `palstudy verify` finds, "" if nothing."""
    archive = context.archive
    commands = how_it_was_made(archive, options)
    told, why_none = told_by_compare(context)
    axes = [{"key": key, "values": len(values)} for key, values in archive.axes.items()]
    study = told.get("study") or {"runs": len(archive.runs), "axes": axes, "gpus": None}
    answer = without_comparison(context, why_none, told) if why_none else answer_of(told)
    claimed = any(gain["pairs"] for group in told.get("groups", ()) for gain in group["gains"])
    first, others = html.by_weight(told["notes"] if told else archive.notes, claimed)
    ids = dict.fromkeys(note["id"] for note in (*first, *others) if note["id"])
    missing = [f"{entry.title} {why}" for entry, why in left_out if not isinstance(why, NoClaim)]
    lead = [html.figure_section(one, svgs[one.name], commands) for one in made if one.name == LEAD]
    parts = [
        f'<p class="warning" id="altered">{html.sentence(wrong)}</p>' if wrong else "",
        html.head_section(
            archive.attribute("study.title") or archive.attribute("study.name"),
            told.get("study", {}).get("question"),
            html.counts_text(study, told.get("left_out", [])),
            archive.attribute("digest"),
        ),
        html.answer_section(answer),
        html.names_section(names_of(told)),
        *lead,
        html.notes_section(first, others),
        "<h2>Details</h2>",
        html.folded("Assumptions", html.table([], assumptions(archive, told), kept=(0,), wide="wide scroll")),
        "" if why_none else html.metrics_section(all_metrics(context, told)),
        html.left_out_section(told),
        "<nav><h2>Figures</h2><ul>"
        + "".join(f'<li><a href="#{one.name}">{html.escape(one.title)}</a></li>' for one in made if one.name != LEAD)
        + "</ul></nav>",
        *figures([one for one in made if one.name != LEAD], svgs, left_out, commands),
        html.folded(
            f"Figures that this archive does not have enough for ({len(missing)})",
            "<ul>" + "".join(f"<li>{html.prose(one)}</li>" for one in missing) + "</ul>" if missing else "",
        ),
        html.reproduce_section(archive, commands, wrong),
        html.meanings_section([context.compare.explain(name) for name in ids]),
    ]
    return "\n".join(part for part in parts if part)


def figures(made, svgs, left_out, commands):
    """The figures in their order; where the runs make no claim, a sentence in place of the figure."""
    placed = [(one.place, html.figure_section(one, svgs[one.name], commands)) for one in made]
    placed += [
        (entry.place, f"<h3>{html.escape(entry.title)}</h3><p>Not drawn: {html.escape(why)}</p>")
        for entry, why in left_out
        if isinstance(why, NoClaim)
    ]
    return [text for _, text in sorted(placed, key=lambda one: one[0])]


def report(options):
    chosen, at = chosen_entries(options.only), read_at(options.at)
    program = find_program(options.palstudy)
    folder = pathlib.Path(options.output)
    if folder.exists() and not folder.is_dir():
        raise usage_error("is there and is no folder", options.output, "name another with -o")
    keep_others(folder / "index.html")
    style.setup()
    with Archive(options.file) as archive, Verification(program, options.file) as verification:
        check_asked(archive, options, at)
        compare = Compare(program, options.file, options.baseline, options.metric)
        context = Context(archive, compare, at, options.run)
        made, left_out = make_figures(context, chosen, options.only)
        tell_missing(options.only, made, left_out)
        try:
            svgs = write_figures(made, folder / "figures")
            wrong = verification.wrong()
            body = body_of(context, wrong, made, svgs, left_out, options)
            text = html.page(archive.attribute("study.title") or "palstudy", body)
            write_whole(folder / "index.html", text)
        except OSError as error:
            raise data_error(
                f"cannot be written ({error.strerror})", options.output, "make room, or name another"
            ) from error
    why = "; the page says why" if left_out else ""
    altered = "; the archive does not hold what it says" if wrong else ""
    print(f"{folder / 'index.html'}: {count(len(made), 'figure')}, {len(left_out)} left out{why}{altered}")


def keep_others(path):
    """Refuses to write over a page that is none of ours, unless it is empty."""
    try:
        text = path.read_text(encoding="utf-8", errors="replace") if path.exists() else ""
    except OSError as error:
        raise usage_error(
            f"is there and cannot be read ({error.strerror})", str(path), "name another with -o"
        ) from error
    if text and html.MARK not in text:
        raise usage_error(
            "is there and no page of palstudy-report, so it is not replaced",
            str(path),
            "name another with -o, or move it away",
        )


def lost(error):
    """The exit code of what the system refused to read or print. A reader of the output that has seen enough is no error."""
    if error.filename is None:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    if isinstance(error, BrokenPipeError):
        return 0
    where = error.filename or "standard output"
    print(
        f"palstudy-report: {where}: {error.strerror}\n  make room, or see that it can be read and written",
        file=sys.stderr,
    )
    return 3


def main(words=None):
    try:
        options = arguments(sys.argv[1:] if words is None else words)
        report(options)
        sys.stdout.flush()
    except ReportError as error:
        print(f"palstudy-report: {error}", file=sys.stderr)
        return error.code
    except OSError as error:
        return lost(error)
    except Exception as error:  # pylint: disable=broad-except
        print(
            f"palstudy-report: {type(error).__name__}: {error}\n  This is a fault of the program; please report it with what "
            "follows.",
            file=sys.stderr,
        )
        traceback.print_exc(limit=-3)
        return 1
    return 0
