# SPDX-License-Identifier: MIT
"""Numbers that are typed into a template of a page of results where a value should stand: {{ 42 }}, {{ number(42) }}."""
import re
from typing import Iterator

import jinja2
from jinja2 import nodes

# What formats a value, and which of its arguments is that value.
FORMATS = {"number": "value", "percent": "share", "duration": "seconds", "short": "value"}


def numbers_typed(environment: jinja2.Environment, source: str) -> list[str]:
    """Each once for each place in which it is shown. An argument that selects a value is none of them."""
    tree = environment.parse(source)
    # Which arguments a call puts on the page, and their places.
    shows = {name: {value: 0} for name, value in FORMATS.items()}

    def parts(node: nodes.Node) -> Iterator[nodes.Node]:
        """The literals, names and reads of values that an expression computes with."""
        if isinstance(node, nodes.Call) and getattr(node.node, "name", None) in shows:
            for argument in shown(node):
                yield from parts(argument)
        elif isinstance(node, nodes.CondExpr):
            for one in (node.expr1, node.expr2):
                yield from parts(one) if one else ()
        elif isinstance(node, (nodes.BinExpr, nodes.UnaryExpr, nodes.Filter, nodes.Concat)):
            for child in node.iter_child_nodes():
                yield from parts(child)
        else:
            yield node

    def shown(call: nodes.Call) -> list[nodes.Expr]:
        places = shows[call.node.name]  # type: ignore[attr-defined]
        by_place = [call.args[at] for at in places.values() if at < len(call.args)]
        return by_place + [one.value for one in call.kwargs if one.key in places]

    def outputs(of: nodes.Node) -> list[nodes.Node]:
        return [node for output in of.find_all(nodes.Output) for node in output.nodes]

    for macro in tree.find_all(nodes.Macro):
        names = {part.name for node in outputs(macro) for part in parts(node) if isinstance(part, nodes.Name)}
        shows[macro.name] = {one.name: at for at, one in enumerate(macro.args) if one.name in names}
    calls = [call for call in tree.find_all(nodes.Call) if getattr(call.node, "name", None) in shows]
    found = []
    for node in (
        outputs(tree) + [one.node for one in tree.find_all(nodes.Assign)] + [a for c in calls for a in shown(c)]
    ):
        literals = [part.value if isinstance(part, nodes.Const) else None for part in parts(node)]
        if None not in literals and re.search(r"\d", f"{literals}"):
            found.append(" and ".join(str(one) for one in literals))
    return list(dict.fromkeys(found))
