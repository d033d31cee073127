// SPDX-License-Identifier: MIT
#include "inputs/failure_inputs.hpp"

#include <fmt/format.h>

#include "core/csv.hpp"
#include "core/error.hpp"
#include "core/text.hpp"
#include "inputs/input_files.hpp"
#include "study/fingerprint.hpp"
#include "study/keys/key_names.hpp"

namespace palstudy {

const FailureTable& FailureInputs::table(const std::string& written) {
  return memoize(tables_, written, [&] {
    return failure_table(CsvTable::read(
        files_.table(keys::failure_model, written, {"jobs/failures", "failures", "philly", "docs/howto/failures.md"})));
  });
}

const FailureWorld* FailureInputs::of(const RunPlan& run) {
  const FailureKeys& keys = run.failures;
  if (keys.model.empty()) return nullptr;
  const FailureOptions& o = keys.options;
  const std::string text = section_text(run, "failures") + "\n" +
                           (keys.faults == Faults::job ? "" : cluster_text(run)) + "\n" +
                           (o.kill_exponent == 0 ? "" : workload_text(run));
  return &memoize(worlds_, text, [&] {
    AttemptModel model(table(keys.model), o);
    if (o.kill_exponent != 0) model.weigh_kills(workloads_.workload(run).jobs);
    return FailureWorld{std::move(model),
                        FaultyPlaces(clusters_.topology(run), clusters_.truth(run), keys.faults, keys.slow, o.seed)};
  });
}

namespace {

double time_in(const CsvTable& table, std::size_t row, const char* name) {
  const std::size_t column = table.column(name);
  const double time_s = table.number(row, column);
  if (time_s < 0) {
    throw data_error(fmt::format("{} = {} lies before the run", name, shortest(time_s)), table.where(row, column),
                     "times count from 0");
  }
  return time_s;
}

bool drains(const CsvTable& table, std::size_t row) {
  const std::size_t column = table.column("kind");
  const std::string_view kind = table.text(row, column);
  if (kind == "drain" || kind == "down") return kind == "drain";
  throw data_error(fmt::format("unknown kind \"{}\" of outage", kind), table.where(row, column), "known: drain, down");
}

std::vector<Outage> read_outages(const std::filesystem::path& path, std::uint32_t nodes) {
  const CsvTable table = CsvTable::read(path);
  std::vector<Outage> outages;
  for (std::size_t row = 0; row < table.rows(); ++row) {
    const auto node = table.integer(row, table.column("node"), 0, nodes - 1);
    outages.push_back({NodeId(static_cast<std::uint32_t>(node)), time_in(table, row, "from_s"),
                       time_in(table, row, "to_s"), drains(table, row)});
    if (outages.back().from_s < outages.back().to_s) continue;
    throw data_error("to_s is not later than from_s", table.where(row, table.column("to_s")),
                     "let the outage end after it begins");
  }
  return outages;
}

}  // namespace

const std::vector<Outage>& OutageInputs::of(const RunPlan& run, const Topology& topology) {
  const std::string& written = run.cluster.outages;
  return memoize(outages_, written + "\n" + std::to_string(topology.nodes()), [&] {
    if (written.empty()) return std::vector<Outage>();
    const auto path = files_.named(keys::outages, written);
    auto outages = read_outages(path, topology.nodes());
    files_.add(written, path);
    return outages;
  });
}

}  // namespace palstudy
