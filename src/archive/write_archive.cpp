// SPDX-License-Identifier: MIT
#include "archive/write_archive.hpp"

#include <sys/stat.h>

#include <algorithm>
#include <cstdio>

#include "archive/provenance.hpp"
#include "archive/table_writer.hpp"
#include "core/error.hpp"
#include "core/text.hpp"
#include "hdf5/attribute.hpp"
#include "hdf5/content_checksum.hpp"
#include "hdf5/dataset.hpp"
#include "hdf5/file.hpp"
#include "hdf5/stream.hpp"
#include "record/digest.hpp"
#include "record/record.hpp"
#include "record/tables.hpp"

namespace palstudy {
namespace {

using hdf5::File;
using Instead = std::map<std::string, ColumnValues>;

/// All tables, written run by run.
class Tables {
 public:
  Tables() {
    for (const Table& table : all_tables()) writers_.emplace_back(table.id);
  }
  void see(const RunRecord& record) {
    for (std::size_t t = 0; t < all_tables().size(); ++t) writers_[t].see(record.*all_tables()[t].data);
    runs_.push_back(record.run);
    statuses_.push_back(record.status);
    digests_.push_back(record.digest);
  }
  void begin(File& file) {
    for (TableWriter& writer : writers_) writer.begin(file);
  }
  void add(const RunRecord& record) {
    for (std::size_t t = 0; t < all_tables().size(); ++t) {
      writers_[t].add(record.*all_tables()[t].data, instead(all_tables()[t].id, record));
    }
    jobs_ += static_cast<std::int64_t>(record.jobs.rows());
    event_gpus_ += static_cast<std::int64_t>(record.event_gpus.rows());
  }
  void end(File& file) {
    for (TableWriter& writer : writers_) writer.end(file);
  }
  [[nodiscard]] std::string digest() const { return archive_digest(runs_, statuses_, digests_); }

 private:
  /// Offsets into /jobs and /events/gpu over the whole archive, where those of a record count from its own first row;
  /// and the digest as the record has it.
  [[nodiscard]] Instead instead(TableId id, const RunRecord& record) const {
    Instead other;
    if (id == TableId::runs) {
      other["job_begin"] = std::vector<std::int64_t>{jobs_};
      other["job_count"] = std::vector<std::int64_t>{static_cast<std::int64_t>(record.jobs.rows())};
      other["digest"] = TextColumn{{0}, {record.digest}};
    }
    if (id == TableId::events && record.events.rows() > 0) {
      std::vector<std::int64_t> begin = integers_of(record.events, "gpu_begin");
      for (std::int64_t& row : begin) row += event_gpus_;
      other["gpu_begin"] = std::move(begin);
    }
    return other;
  }

  std::vector<TableWriter> writers_;
  std::int64_t jobs_ = 0, event_gpus_ = 0;  // rows before the next run
  std::vector<std::int64_t> runs_;
  std::vector<RunStatus> statuses_;
  std::vector<std::string> digests_;
};

void write_clusters(File& file, const std::vector<ClusterRecord>& clusters) {
  std::vector<const ClusterRecord*> order;
  for (const ClusterRecord& cluster : clusters) order.push_back(&cluster);
  std::ranges::sort(order, [](const auto* a, const auto* b) { return a->key < b->key; });
  for (const ClusterRecord* cluster : order) {
    const std::string group = "/cluster/" + link_name(cluster->key);
    if (file.exists(group)) continue;
    file.group(group);
    write_attribute(file, group, "recipe", cluster->recipe);
    std::vector<std::string> paths;
    for (std::size_t c = 0; c < cluster->slowdowns.classes(); ++c) {
      const std::string& name = cluster->slowdowns.class_names()[c];
      paths.push_back(group + "/slowdown_" + link_name(name));
      write_dataset(file, paths.back(), cluster->slowdowns.of(ClassId(c)),
                    {"1", "True slowdown of each GPU for class " + name + "."});
    }
    share_rows(file, group + "/gpu", paths);
  }
}

/// A copy of the measurements that clusters were drawn from: GPUs in one length, their runs in another.
void write_profile(File& file, const std::vector<const Measurements*>& profile) {
  for (const Measurements* measured : profile) {
    const std::string group = "/profile/" + link_name(measured->name);
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
    write_dataset(file, group + "/gpu", ids, {"1", "What the profile calls each GPU."});
    write_dataset(file, group + "/host", hosts, {"1", "Its node; empty where it is not known."});
    write_dataset(file, group + "/local", locals, {"1", "Its index on the node; -1 where it is not known."});
    write_dataset(file, group + "/run_gpu", run_gpus, {"1", "The GPU of each run, as a row of gpu."});
    std::vector<std::string> of_runs = {group + "/run_gpu", group + "/run_time"};
    if (run_sessions.size() == times_ms.size()) {  // of an import they are not known
      of_runs.push_back(group + "/run_session");
      write_dataset(file, group + "/run_session", run_sessions,
                    {"1", "The session of each run, as a number of its profile."});
    }
    write_dataset(file, group + "/run_time", times_ms, {"ms", "Time of each run."});
    share_rows(file, group + "/gpu", {group + "/host", group + "/local"});
    share_rows(file, group + "/run", of_runs);
  }
}

void fill(File& file, RecordSource& records, const std::vector<ClusterRecord>& clusters, const Provenance& provenance,
          const std::vector<const Measurements*>& profile) {
  Tables tables;
  for (std::size_t i = 0; i < records.size(); ++i) tables.see(records.record(i));
  write_attribute(file, "/", "schema", std::string(archive_schema_name) + " " + archive_schema_version);
  write_attribute(file, "/", "schema_version", std::string(archive_schema_version));
  write_attribute(file, "/", "Conventions", std::string(archive_schema_name) + "-" + archive_schema_version);
  write_attribute(file, "/", "digest", tables.digest());
  write_provenance(file, provenance);
  tables.begin(file);
  for (std::size_t i = 0; i < records.size(); ++i) tables.add(records.record(i));
  tables.end(file);
  write_clusters(file, clusters);
  write_profile(file, profile);
  write_checksum(file);
}

}  // namespace

void write_archive(const std::filesystem::path& path, RecordSource& records, const std::vector<ClusterRecord>& clusters,
                   const Provenance& provenance, const std::vector<const Measurements*>& profile) {
  if (records.size() == 0) throw data_error("no run has finished, so there is nothing to archive", path.string());
  hdf5::make_file(path, [&](File& file) { fill(file, records, clusters, provenance, profile); });
}

}  // namespace palstudy
