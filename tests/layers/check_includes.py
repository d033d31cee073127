# SPDX-License-Identifier: MIT
"""check_includes.py REPOSITORY: every file of src/ includes, itself or through others, what declares the names that it uses.

Most builds compile twenty files as one, where a file sees what those before it have included; the presets `dev` and `coverage`
compile each alone. Looked at are types, functions called by their bare name that one header of src/ alone declares, and fmt.
Prints one line for each breach and exits with 1 if there is any.
"""
import re
import sys
from pathlib import Path

NO_CODE = re.compile(r'//[^\n]*|"(?:\\.|[^"\\\n])*"')
INCLUDE = re.compile(r'^#include ["<]([^">]+)[">]', re.MULTILINE)
TYPE = re.compile(r"^(?:class|struct|enum class) (?:alignas\(\d+\) )?([A-Z]\w+)[ {]", re.MULTILINE)
FUNCTION = re.compile(r"^(?:\[\[nodiscard\]\] )?[A-Za-z_][\w:<>,&* ]*[ &*]([a-z]\w*_\w+)\(", re.MULTILINE)
# Whatever kind of declaration, nested ones and those of variables included.
ANY_TYPE = re.compile(r"\b(?:enum class|class|struct|enum|using|typename) (?:alignas\(\d+\) )?(\w+)")
ANY_FUNCTION = re.compile(r"(?<!return)(?<!throw)[\w>&*] [&*]?([a-z]\w*_\w+)[({]")
USED = (re.compile(r"(?<![\w.>])([A-Z]\w+)"), re.compile(r"(?<![\w.>:])([a-z]\w*_\w+)\("))


def breaches_in(root):
    files, declared = {}, {}
    for folder, included_from in ((root / "src", root / "src"), (root / "kernels", root)):
        for path in sorted(folder.rglob("*.?pp")):
            text = path.read_text(encoding="utf-8")
            files[str(path.relative_to(included_from))] = (INCLUDE.findall(text), NO_CODE.sub(" ", text))
    for name, (_, text) in files.items():
        for word in (*TYPE.findall(text), *FUNCTION.findall(text)):
            declared.setdefault(word, set()).add(name)
    only = {word: name for word, (name, *others) in declared.items() if not others and name.endswith(".hpp")}
    here = {name: {*ANY_TYPE.findall(text), *ANY_FUNCTION.findall(text)} for name, (_, text) in files.items()}

    def seen_by(name):
        seen, rest = set(), [name]
        while rest:
            one = rest.pop()
            if one not in seen:
                seen.add(one)
                rest += files[one][0] if one in files else []
        return seen

    breaches = []
    for name, (_, text) in files.items():
        if name.startswith("kernels/"):
            continue
        seen = seen_by(name)
        known = set().union(*(here[one] for one in seen if one in here))
        used = {word for pattern in USED for word in pattern.findall(text)} & only.keys()
        breaches += [f"src/{name} uses {word} and does not include {only[word]}" for word in sorted(used - known)]
        if "fmt::" in text and not any(one.startswith("fmt/") for one in seen):
            breaches.append(f"src/{name} uses fmt and does not include fmt/format.h")
    return breaches


if __name__ == "__main__":
    found = breaches_in(Path(sys.argv[1]))
    print("\n".join(found) or "includes: no breach")
    sys.exit(1 if found else 0)
