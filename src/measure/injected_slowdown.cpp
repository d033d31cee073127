// SPDX-License-Identifier: MIT
#include "measure/injected_slowdown.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "core/error.hpp"
#include "core/text.hpp"

namespace palstudy {
namespace {

constexpr double factor_limit = 100;

std::size_t rank_of(const CsvTable& table, std::size_t row, const std::vector<RankPlace>& ranks) {
  if (table.has_column("rank")) {
    const std::size_t column = table.column("rank");
    const auto wanted = table.integer(row, column), most = static_cast<long long>(ranks.size()) - 1;
    if (wanted >= 0 && wanted <= most) return static_cast<std::size_t>(wanted);
    throw data_error(fmt::format("there is no rank {}", wanted), table.where(row, column),
                     most == 0
                         ? "one was started, 0; start as many as the file names"
                         : fmt::format("{} were started, 0 to {}; start as many as the file names.", most + 1, most));
  }
  const std::size_t host = table.column("host"), local = table.column("local");
  const auto wanted = table.integer(row, local);
  for (std::size_t rank = 0; rank < ranks.size(); ++rank) {
    if (ranks[rank].host == table.text(row, host) && ranks[rank].local == wanted) return rank;
  }
  throw data_error(fmt::format("no rank is number {} on host \"{}\"", wanted, table.text(row, host)),
                   table.where(row, host),
                   fmt::format("rank 0 is number {} on host \"{}\"", ranks.at(0).local, ranks.at(0).host));
}

std::string kernel_of(const CsvTable& table, std::size_t row, const std::vector<std::string>& kernels) {
  if (!table.has_column("kernel")) return "";
  const std::size_t column = table.column("kernel");
  std::string name(table.text(row, column));
  if (name.empty() || std::ranges::find(kernels, name) != kernels.end()) return name;
  throw data_error("kernel \"" + name + "\" is not measured", table.where(row, column), "measured: " + join(kernels));
}

}  // namespace

InjectedSlowdown InjectedSlowdown::read(const std::filesystem::path& path, const std::vector<RankPlace>& ranks,
                                        const std::vector<std::string>& kernels) {
  return parse(CsvTable::read(path), ranks, kernels);
}

InjectedSlowdown InjectedSlowdown::parse(const CsvTable& table, const std::vector<RankPlace>& ranks,
                                         const std::vector<std::string>& kernels) {
  InjectedSlowdown result;
  const std::size_t factor = table.column("factor");
  for (std::size_t row = 0; row < table.rows(); ++row) {
    const Row next{rank_of(table, row, ranks), kernel_of(table, row, kernels), table.number(row, factor)};
    if (!(next.factor >= 1 && next.factor <= factor_limit)) {
      throw data_error(fmt::format("a factor of {}", next.factor), table.where(row, factor),
                       fmt::format("a rank can be made 1 to {} times as slow", factor_limit));
    }
    for (const Row& other : result.rows_) {
      if (other.rank == next.rank && other.kernel == next.kernel) {
        throw data_error("the same rank and kernel for the second time", table.where(row, factor), "leave one out");
      }
    }
    result.rows_.push_back(next);
  }
  return result;
}

double InjectedSlowdown::factor(std::size_t rank, const std::string& kernel) const {
  double general = 1;
  for (const Row& row : rows_) {
    if (row.rank != rank) continue;
    if (row.kernel == kernel) return row.factor;
    if (row.kernel.empty()) general = row.factor;
  }
  return general;
}

}  // namespace palstudy
