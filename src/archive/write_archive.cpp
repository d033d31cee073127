// SPDX-License-Identifier: MIT
#include <algorithm>

#include "archive/archive.hpp"
#include "archive/digest.hpp"
#include "archive/durable_file.hpp"
#include "archive/hdf5.hpp"
#include "archive/join_tables.hpp"
#include "archive/layout.hpp"
#include "archive/write_provenance.hpp"
#include "core/error.hpp"

namespace palstudy {
namespace {

using hdf5::File;
using Records = std::vector<const RunRecord*>;

ColumnValues& values_of(TableData& table, const std::string& name) {
  for (std::size_t i = 0; i < table.columns.size(); ++i) {
    if (table.columns[i].name == name) return table.values[i];
  }
  throw fault("records without the column " + name);
}

/// Offsets into /jobs over the whole archive, and the digests as the records have them.
void complete_runs(TableData& runs, const Records& records) {
  auto& begin = std::get<std::vector<std::int64_t>>(values_of(runs, "job_begin"));
  auto& count = std::get<std::vector<std::int64_t>>(values_of(runs, "job_count"));
  TextColumn digests;
  std::int64_t next = 0;
  for (std::size_t i = 0; i < records.size(); ++i) {
    begin.at(i) = next;
    count.at(i) = static_cast<std::int64_t>(records[i]->jobs.rows());
    next += count[i];
    digests.codes.push_back(static_cast<std::int32_t>(i));
    digests.names.push_back(records[i]->digest);
  }
  values_of(runs, "digest") = std::move(digests);
}

/// Offsets into /events/gpu over the whole archive; those of a record count from its own first row.
void shift_gpu_begin(TableData& events, const Records& records) {
  auto& begin = std::get<std::vector<std::int64_t>>(values_of(events, "gpu_begin"));
  std::size_t row = 0;
  std::int64_t shift = 0;
  for (const RunRecord* record : records) {
    for (std::size_t i = 0; i < record->events.rows(); ++i) begin.at(row++) += shift;
    shift += static_cast<std::int64_t>(record->event_gpus.rows());
  }
}

void write_texts(File& file, const Column& column, const TextColumn& text) {
  const std::string path = column_path(column.table, column.name);
  const hdf5::Label label{column.units, column.long_name};
  if (stored_as_text(column.table, column.name)) {
    std::vector<std::string> texts;
    for (std::size_t row = 0; row < text.codes.size(); ++row) texts.push_back(text.at(row));
    file.write(path, std::span<const std::string>(texts), label);
    return;
  }
  const std::string names = names_path(column.table, column.name);
  file.write(path, std::span<const std::int32_t>(text.codes), label);
  file.attribute(path, "names", names);
  file.write(names, std::span<const std::string>(text.names),
             {"1", "The texts that the codes in " + path + " stand for."});
}

void write_table(File& file, TableId id, const TableData& table) {
  if (table.columns.empty()) return;
  file.group(table_group(id));
  std::vector<std::string> names;
  for (std::size_t i = 0; i < table.columns.size(); ++i) {
    const Column& column = table.columns[i];
    names.push_back(column.name);
    if (size(table.values[i]) != table.rows()) throw fault("columns of different lengths in " + table_name(id));
    if (const auto* text = std::get_if<TextColumn>(&table.values[i])) {
      write_texts(file, column, *text);
      continue;
    }
    const std::string path = column_path(id, column.name);
    const hdf5::Label label{column.units, column.long_name};
    if (const auto* integers = std::get_if<std::vector<std::int64_t>>(&table.values[i])) {
      file.write(path, std::span<const std::int64_t>(*integers), label);
    } else {
      file.write(path, std::span<const double>(std::get<std::vector<double>>(table.values[i])), label);
    }
  }
  file.attribute(table_group(id), columns_attribute(id), names);
}

void write_clusters(File& file, const std::vector<ClusterRecord>& clusters) {
  std::vector<const ClusterRecord*> order;
  for (const ClusterRecord& cluster : clusters) order.push_back(&cluster);
  std::sort(order.begin(), order.end(), [](const auto* a, const auto* b) { return a->key < b->key; });
  for (const ClusterRecord* cluster : order) {
    const std::string group = "/cluster/" + hdf5::link_name(cluster->key);
    if (file.exists(group)) continue;
    file.group(group);
    file.attribute(group, "recipe", cluster->recipe);
    for (std::size_t c = 0; c < cluster->slowdowns.classes(); ++c) {
      const std::string& name = cluster->slowdowns.class_names()[c];
      file.write(group + "/slowdown_" + hdf5::link_name(name), cluster->slowdowns.of(ClassId(c)),
                 {"1", "True slowdown of each GPU for class " + name + "."});
    }
  }
}

/// A copy of the measurements that clusters were drawn from: GPUs in one length, their runs in another.
void write_profile(File& file, const std::vector<const Measurements*>& profile) {
  for (const Measurements* measured : profile) {
    const std::string group = "/profile/" + hdf5::link_name(measured->name);
    std::vector<std::string> ids, hosts;
    std::vector<std::int64_t> locals, run_gpus, run_sessions;
    std::vector<double> times_ms;
    for (std::size_t g = 0; g < measured->gpus.size(); ++g) {
      const Measurements::Gpu& gpu = measured->gpus[g];
      ids.push_back(gpu.id);
      hosts.push_back(gpu.host);
      locals.push_back(gpu.local);
      run_gpus.insert(run_gpus.end(), gpu.times_ms.size(), static_cast<std::int64_t>(g));
      times_ms.insert(times_ms.end(), gpu.times_ms.begin(), gpu.times_ms.end());
      run_sessions.insert(run_sessions.end(), gpu.session_of_run.begin(), gpu.session_of_run.end());
    }
    file.group(group);
    file.write(group + "/gpu", std::span<const std::string>(ids), {"1", "What the profile calls each GPU."});
    file.write(group + "/host", std::span<const std::string>(hosts), {"1", "Its node; empty where it is not known."});
    file.write(group + "/local", std::span<const std::int64_t>(locals),
               {"1", "Its index on the node; -1 where it is not known."});
    file.write(group + "/run_gpu", std::span<const std::int64_t>(run_gpus),
               {"1", "The GPU of each run, as a row of gpu."});
    if (run_sessions.size() == times_ms.size()) {  // of an import they are not known
      file.write(group + "/run_session", std::span<const std::int64_t>(run_sessions),
                 {"1", "The session of each run, as a number of its profile."});
    }
    file.write(group + "/run_time", std::span<const double>(times_ms), {"ms", "Time of each run."});
  }
}

std::string digest_of(const Records& records) {
  std::vector<std::int64_t> runs;
  std::vector<RunStatus> statuses;
  std::vector<std::string> digests;
  for (const RunRecord* record : records) {
    runs.push_back(record->run);
    statuses.push_back(record->status);
    digests.push_back(record->digest);
  }
  return archive_digest(runs, statuses, digests);
}

void fill(File& file, const std::vector<RunRecord>& unordered, const std::vector<ClusterRecord>& clusters,
          const Provenance& provenance, const std::vector<const Measurements*>& profile) {
  const Records records = in_run_order(unordered);
  file.attribute("/", "schema", std::string(archive_schema_name) + " " + archive_schema_version);
  file.attribute("/", "schema_version", std::string(archive_schema_version));
  file.attribute("/", "digest", digest_of(records));
  write_provenance(file, provenance);
  for (const TableId id : all_tables) {
    TableData table = join_table(records, id);
    if (id == TableId::runs) complete_runs(table, records);
    if (id == TableId::events && !table.columns.empty()) shift_gpu_begin(table, records);
    write_table(file, id, table);
  }
  write_clusters(file, clusters);
  write_profile(file, profile);
}

}  // namespace

void write_archive(const std::filesystem::path& path, const std::vector<RunRecord>& records,
                   const std::vector<ClusterRecord>& clusters, const Provenance& provenance,
                   const std::vector<const Measurements*>& profile) {
  if (records.empty()) throw data_error("no run has finished, so there is nothing to archive", path.string());
  File file = File::create(path.filename().string());
  fill(file, records, clusters, provenance, profile);
  write_durably(path, file.finish());
}

std::size_t archive_size(const std::vector<RunRecord>& records, const std::vector<ClusterRecord>& clusters,
                         const Provenance& provenance, const std::vector<const Measurements*>& profile) {
  File file = File::create("an archive that is only weighed");
  fill(file, records, clusters, provenance, profile);
  return file.finish().size();
}

}  // namespace palstudy
