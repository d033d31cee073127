# SPDX-License-Identifier: MIT
"""CSV as a spreadsheet may open it: names of archives come from anywhere."""


def is_number(text):
    try:
        float(text)
        return True
    except ValueError:
        return False


def no_formula(value):
    """A text that a spreadsheet would compute, behind an apostrophe, as palstudy export writes it."""
    return f"'{value}" if isinstance(value, str) and value[:1] in tuple("=+-@") and not is_number(value) else value


def to_csv(table):
    texts = table.select_dtypes(exclude=["number", "bool"])
    safe = table.assign(**{str(name): texts[name].map(no_formula) for name in texts})
    return safe.rename(columns=no_formula).to_csv(index=False)
