// SPDX-License-Identifier: MIT
// A table with a row a time: session, host, GPU, kernel, time.
#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "core/csv.hpp"
#include "core/error.hpp"
#include "core/text.hpp"
#include "variability/profile/importer.hpp"

namespace palstudy {
namespace {

/// What a column can be, and the names by which it is known without --columns.
const std::vector<std::pair<std::string, std::vector<std::string>>>& roles() {
  static const std::vector<std::pair<std::string, std::vector<std::string>>> all = {
      {"session", {"session", "date", "campaign"}},
      {"host", {"host", "hostname", "node"}},
      {"gpu", {"gpu", "gpu_id", "local_gpu", "device"}},
      {"kernel", {"kernel", "benchmark", "test"}},
      {"time", {"time_ms", "time_us", "time_ns", "time_s"}},
      {"throughput", {"throughput", "gflops"}},
      {"cabinet", {"cabinet", "rack"}}};
  return all;
}

std::vector<std::string> names_of_roles() {
  std::vector<std::string> names;
  for (const auto& [role, known] : roles()) names.push_back(role);
  return names;
}

class TimeColumns {
 public:
  TimeColumns(const CsvTable& table, const ImportColumns& named) : table_(table) {
    for (const auto& [role, column] : named) {
      if (std::ranges::none_of(roles(), [&](const auto& one) { return one.first == role; })) refuse_role(role);
      columns_.emplace(role, table.column(column));
    }
    for (const auto& [role, known] : roles()) {
      for (const std::string& name : known) {
        if (table.has_column(name)) columns_.try_emplace(role, table.column(name));
      }
    }
  }
  [[nodiscard]] std::optional<std::size_t> find(const char* role) const {
    const auto at = columns_.find(role);
    return at == columns_.end() ? std::nullopt : std::optional(at->second);
  }
  [[nodiscard]] std::string text(std::size_t row, const char* role) const {
    const auto at = find(role);
    return at ? std::string(table_.text(row, *at)) : "";
  }

 private:
  [[noreturn]] static void refuse_role(const std::string& role) {
    throw usage_error(fmt::format("\"{}\" is nothing that a column can be", role), "--columns",
                      "known are " + join(names_of_roles()));
  }

  const CsvTable& table_;
  std::map<std::string, std::size_t, std::less<>> columns_;
};

bool looks_like_table(const ImportFile& file) {
  try {
    const CsvTable header = CsvTable::parse(file.text.substr(0, file.text.find('\n')), file.name());
    const TimeColumns columns(header, {});
    return columns.find("gpu") && (columns.find("time") || columns.find("throughput"));
  } catch (const Error&) {
    return false;  // no table at all
  }
}

ImportedFile read_table(const ImportFile& file, const ImportColumns& named) {
  const CsvTable table = CsvTable::parse(file.text, file.name());
  const TimeColumns columns(table, named);
  const auto time = columns.find("time"), throughput = columns.find("throughput"), value = time ? time : throughput;
  if (!value || !columns.find("gpu")) {
    throw data_error(fmt::format("has no column of {}", value ? "GPUs" : "times"), file.name() + ":1",
                     "name it, as in --columns host=node,gpu=device,time=elapsed_us");
  }
  const auto ms = time ? ms_of_unit(table.header()[*time]) : std::nullopt;
  if (time && !ms) {
    throw data_error(fmt::format("the column \"{}\" has no unit", table.header()[*time]), file.name() + ":1",
                     "let its name end in _ns, _us, _ms or _s");
  }
  ProfileOfTimes profile("table", session_of(file), table.rows());
  LeftValues left;
  for (std::size_t row = 0; row < table.rows(); ++row) {
    if (table.text(row, *value).empty()) {
      left.add("empty");
      continue;
    }
    const double number = table.number(row, *value);
    MeasuredTime one;
    one.session = columns.text(row, "session");
    one.host = columns.text(row, "host");
    one.gpu = columns.text(row, "gpu");
    one.kernel = columns.find("kernel") ? columns.text(row, "kernel") : file.stem();
    one.cabinet = columns.text(row, "cabinet");
    one.ms = time ? number * *ms : ms_of_throughput(number);
    profile.add(one, [&] { return table.where(row, *value); });
  }
  ImportedFile made{profile.take(), {}, {}, {}};
  left.note(file, made.notes);
  return made;
}

}  // namespace

void register_importer_table(ImporterRegistry& registry) {
  registry.add({table_format,
                "A CSV with a row a time: gpu, time_ms (or _us, _ns, _s) or throughput and, if wanted, session, host, "
                "kernel, cabinet; --columns names others.",
                {},
                {looks_like_table, read_table}});
}

}  // namespace palstudy
