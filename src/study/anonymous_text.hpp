// SPDX-License-Identifier: MIT
#pragma once

#include <string>

#include "archive/pseudonyms.hpp"

namespace palstudy {

/// Whether a text begins with the heading of a CSV that a reader of traces, clusters or measurements takes, or that
/// names hosts, GPUs or people; whatever its file is called.
[[nodiscard]] bool has_table_heading(const std::string& text);
/// Tells `names` what stands in columns of a CSV that name hosts, GPUs or people.
void note_table_names(const std::string& csv, Pseudonyms& names);
/// The table without those names. Columns that a reader of traces, clusters or measurements takes stay what they are:
/// of a table of a GPU each `gpu_id` is a name if it is no number.
[[nodiscard]] std::string anonymous_table(const std::string& csv, Pseudonyms& names);

/// Tells `names` who and where this is, as far as a command line and the system say: users, accounts, this host.
void note_people(const std::string& command_line, Pseudonyms& names);

}  // namespace palstudy
