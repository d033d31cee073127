// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "archive/reader.hpp"

namespace palstudy {

/// The names of the tables that can be exported: those that lie neither in another's group nor in /provenance, and
/// "notes", which are no rows of runs.
[[nodiscard]] std::vector<std::string> exported_tables();

/// Errors (usage, at this option): the archive has no run of that number.
void require_run(const ArchiveReader& archive, std::int64_t run, const std::string& option);

/// CSV or JSON of one table, axes by name, names instead of codes, full precision; `run` < 0 for all.
/// Events: run,time_s,kind,job,gpus. In CSV an apostrophe goes before a text that a spreadsheet would take for a
/// formula.
[[nodiscard]] std::string export_table(const ArchiveReader& archive, TableId table, std::int64_t run, bool json);
/// The same of the notes: id,severity,subject,values,text, where `values` is an object, in CSV as JSON.
[[nodiscard]] std::string export_notes(const ArchiveReader& archive, bool json);

}  // namespace palstudy
