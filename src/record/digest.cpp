// SPDX-License-Identifier: MIT
#include "record/digest.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstring>
#include <numeric>
#include <string_view>

#include "core/error.hpp"

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
  for (const Table& table : all_tables()) {
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
  std::ranges::stable_sort(order, [&](std::size_t a, std::size_t b) { return runs[a] < runs[b]; });
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

static_assert(std::endian::native == std::endian::little, "values are hashed and stored as they lie in memory");

void ColumnHasher::bytes(const void* data, std::size_t size) {
  if (used_ + size > sizeof(buffer_)) flush();
  if (size > sizeof(buffer_)) {
    sum_.add(data, size);
    return;
  }
  if (size > 0) std::memcpy(buffer_ + used_, data, size);
  used_ += size;
}

void ColumnHasher::column(std::string_view name, char type, std::uint64_t count) {
  bytes(name.data(), name.size());
  value('\0');
  value(type);
  value(count);
}

void ColumnHasher::reals(std::span<const double> numbers) {
  constexpr std::uint64_t one_nan = 0x7ff8000000000000;
  std::array<std::uint64_t, 256> patterns;
  while (!numbers.empty()) {
    const std::size_t n = std::min(numbers.size(), patterns.size());
    for (std::size_t i = 0; i < n; ++i) {
      const double number = numbers[i] == 0 ? 0.0 : numbers[i];
      patterns[i] = std::isnan(number) ? one_nan : std::bit_cast<std::uint64_t>(number);
    }
    bytes(patterns.data(), n * sizeof(std::uint64_t));
    numbers = numbers.subspan(n);
  }
}

void ColumnHasher::text(std::string_view characters) {
  value(static_cast<std::uint32_t>(characters.size()));
  bytes(characters.data(), characters.size());
}

void ColumnHasher::texts(const std::vector<std::string>& names, std::span<const std::int32_t> codes) {
  std::string written;  // the names, each after its length, and where they end
  std::vector<std::size_t> end = {0};
  for (const std::string& name : names) {
    const auto length = static_cast<std::uint32_t>(name.size());
    written.append(reinterpret_cast<const char*>(&length), sizeof length);
    written += name;
    end.push_back(written.size());
  }
  for (const std::int32_t code : codes) {
    const std::size_t first = end.at(static_cast<std::size_t>(code));
    bytes(written.data() + first, end.at(static_cast<std::size_t>(code) + 1) - first);
  }
}

std::string ColumnHasher::finish_hex() {
  flush();
  return sum_.finish_hex();
}

void ColumnHasher::flush() {
  sum_.add(buffer_, used_);
  used_ = 0;
}

}  // namespace palstudy
