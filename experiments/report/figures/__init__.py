# SPDX-License-Identifier: MIT
"""One module a figure, or a family of them; figure.py finds them."""
