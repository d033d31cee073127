# SPDX-License-Identifier: MIT
"""The one family of exceptions. A message says what is wrong, where, and what to do about it."""


class ReportError(Exception):
    """Ends the program with `code`, as palstudy does: 2 usage, 3 input data."""

    def __init__(self, code, what, where="", advice=""):
        text = f"{where}: {what}" if where else what
        super().__init__(text + (f"\n  {advice}" if advice else ""))
        self.code = code


def usage_error(what, where="", advice=""):
    return ReportError(2, what, where, advice)


def data_error(what, where="", advice=""):
    return ReportError(3, what, where, advice)


class LeftOut(Exception):
    """Raised by a figure that cannot be made of this archive; the text is a sentence that says why."""


class NoClaim(LeftOut):
    """Raised by a figure whose runs make no claim: the sentence stands where the figure would."""
