// SPDX-License-Identifier: MIT
#include "record/digest.hpp"

#include <algorithm>
#include <array>
#include <numeric>
#include <string_view>

#include "core/error.hpp"
#include "record/column_hasher.hpp"

namespace palstudy {
namespace {

void add_values(ColumnHasher& hasher, const ColumnValues& values) {
  if (const auto* integers = std::get_if<std::vector<std::int64_t>>(&values)) {
    hasher.bytes(integers->data(), integers->size() * sizeof(std::int64_t));
  } else if (const auto* reals = std::get_if<std::vector<double>>(&values)) {
    hasher.reals(*reals);
  } else {
    const auto& texts = std::get<TextColumn>(values);
    hasher.texts(texts.names, texts.codes);
  }
}

void add_table(ColumnHasher& hasher, const TableData& table) {
  for (std::size_t i = 0; i < table.columns.size(); ++i) {
    const Column& column = table.columns[i];
    if (!column.digested) continue;
    hasher.column(column.name, static_cast<char>(column.type), size(table.values[i]));
    add_values(hasher, table.values[i]);
  }
}

std::array<std::uint8_t, 32> from_hex(const std::string& hex, std::int64_t run) {
  const auto digit = [](char c) { return c >= '0' && c <= '9' ? c - '0' : c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1; };
  std::array<std::uint8_t, 32> bytes{};
  bool good = hex.size() == 64;
  for (std::size_t i = 0; good && i < bytes.size(); ++i) {
    const int high = digit(hex[2 * i]), low = digit(hex[2 * i + 1]);
    good = high >= 0 && low >= 0;
    bytes[i] = static_cast<std::uint8_t>(high * 16 + low);
  }
  if (!good) {
    throw data_error("the digest \"" + hex + "\" is not 64 hex digits", "/runs/digest, run " + std::to_string(run),
                     "restore the archive from a copy or run the study again");
  }
  return bytes;
}

}  // namespace

std::string run_digest(const RunRecord& record) {
  ColumnHasher hasher;
  for (const Table& table : all_tables) {
    // The GPUs of events enter wherever their events do.
    const std::size_t rows = (table.id == TableId::event_gpus ? record.events : record.*table.data).rows();
    if (table.digested && rows > 0) add_table(hasher, record.*table.data);
  }
  return hasher.finish_hex();
}

void set_digest(RunRecord& record) {
  record.digest = run_digest(record);
  for (std::size_t c = 0; c < record.runs.columns.size(); ++c) {
    if (record.runs.columns[c].name == "digest") record.runs.values[c] = TextColumn{{0}, {record.digest}};
  }
}

std::string archive_digest(const std::vector<std::int64_t>& runs, const std::vector<RunStatus>& statuses,
                           const std::vector<std::string>& digests) {
  if (runs.size() != statuses.size() || runs.size() != digests.size()) throw fault("digests of other runs");
  std::vector<std::size_t> order(runs.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) { return runs[a] < runs[b]; });
  ColumnHasher hasher;
  constexpr std::string_view version = "palstudy-digest-1\n";
  hasher.bytes(version.data(), version.size());
  for (const std::size_t i : order) {
    hasher.value(static_cast<std::uint64_t>(runs[i]));
    hasher.value(static_cast<std::uint8_t>(statuses[i] == RunStatus::done ? 0 : 1));
    const auto bytes = from_hex(digests[i], runs[i]);
    hasher.bytes(bytes.data(), bytes.size());
  }
  return hasher.finish_hex();
}

}  // namespace palstudy
