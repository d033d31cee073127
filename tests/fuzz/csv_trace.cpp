// SPDX-License-Identifier: MIT
// Any bytes are, for every reader, either a trace or refused as data; nothing else may happen.
#include <cmath>
#include <cstdint>
#include <cstdlib>

#include "core/csv.hpp"
#include "core/error.hpp"
#include "core/files.hpp"
#include "workload/model_table.hpp"
#include "workload/trace/trace_reader.hpp"

namespace {

using namespace palstudy;

template <class Parse>
void refused_or(Parse parse) {
  try {
    parse();
  } catch (const Error& error) {
    if (error.code() != ErrorCode::data) std::abort();
  }
}

void every_field(const CsvTable& table) {
  for (std::size_t row = 0; row < table.rows(); ++row) {
    for (std::size_t column = 0; column < table.header().size(); ++column) {
      if (table.where(row, column).empty()) std::abort();
      refused_or([&] { (void)table.integer(row, column); });
      refused_or([&] {
        if (!std::isfinite(table.number(row, column))) std::abort();
      });
    }
  }
}

void check(const Workload& workload) {
  double last_s = 0;
  for (const Job& job : workload.jobs) {
    const bool good = job.gpus > 0 && job.iterations > 0 && job.iteration_s > 0 && job.submit_s >= last_s &&
                      std::isfinite(job.ideal_s()) && job.cls.index() < workload.classes.size() &&
                      job.model < workload.models.size() && job.tenant < workload.tenants.size();
    if (!good) std::abort();
    const RecordedTimes ran = recorded_times(workload, job);
    if (ran.known() && (ran.end_s < ran.start_s || (job.id >= 0 && ran.start_s < job.submit_s))) std::abort();
    last_s = job.submit_s;
  }
}

/// For the readers to which the study says what columns there are.
TraceColumns columns_of(NamedColumns wanted) {
  TraceColumns columns;
  if (wanted == NamedColumns::by_role) {
    columns.by_role = {{"job", "id"},   {"submit", "s"}, {"start", "b"},    {"end", "e"},
                       {"gpus", "g*w"}, {"user", "u"},   {"estimate", "l"}, {"class", "c"}};
  }
  return columns;
}

ModelTable two_models() {
  ModelTable models;
  models.models["BERT"].cls = "B";
  models.models["BERT"].iteration_s = 0.179;
  models.models["vgg19"].cls = "C";
  models.models["vgg19"].iteration_s = 0.3;
  return models;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static const ModelTable models = two_models();
  const std::string text(reinterpret_cast<const char*>(data), size);
  refused_or([&] { every_field(CsvTable::parse(text, "fuzz.csv")); });
  for (const auto& reader : readers().entries()) {
    if (reader.make.looks) (void)reader.make.looks(text);
    refused_or([&] {
      check(parse_trace(text, "fuzz.csv", reader.name, {models, 1, columns_of(reader.make.columns)}));
    });
  }
  refused_or([&] { (void)unpack_gzip(text, "fuzz.gz", std::size_t{1} << 24); });
  return 0;
}
