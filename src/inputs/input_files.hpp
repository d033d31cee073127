// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "core/note.hpp"
#include "study/run_plan.hpp"
#include "study/study.hpp"
#include "workload/model_table.hpp"

namespace palstudy {

/// Clusters of this size are drawn and binned for seconds, so that progress is reported.
inline constexpr std::uint32_t gpus_that_take_long = 1U << 20;

/// The thing with this text; made if it is not there yet.
template <class Thing, class Make>
const Thing& memoize(std::map<std::string, std::unique_ptr<Thing>>& things, const std::string& text, Make make) {
  auto& thing = things[text];
  if (!thing) thing = std::make_unique<Thing>(make());
  return *thing;
}

/// Tables of the program's data that a key names without a path.
struct BundledTables {
  std::string folder;   ///< in the program's data
  std::string of_what;  ///< "failures"
  std::string example;  ///< the name of one of them
  std::string page;     ///< docs/ page on them
};

/// The files that the loaders of a study's inputs read, and the notes that they take. `study` must outlive it.
class InputFiles {
 public:
  explicit InputFiles(const Study& study) : study_(study) {}

  [[nodiscard]] const Study& study() const { return study_; }
  /// The path of a file that the study names. Errors (data): it cannot be read, with the key that names it.
  [[nodiscard]] std::filesystem::path named(const std::string& key, const std::string& written) const;
  /// The path of a table that the study names: a path that ends in .csv, or the name of a bundled table. It counts as
  /// read. Errors: as `named`; (usage): no bundled table has this name.
  std::filesystem::path table(const std::string& key, const std::string& written, const BundledTables& bundled);
  /// Every file read so far, by its path as written; bundled ones by their path in the program's data.
  [[nodiscard]] const std::map<std::string, std::filesystem::path>& read() const { return read_; }
  void add(const std::string& written, const std::filesystem::path& path) { read_[written] = path; }
  /// The notes in order, each once.
  [[nodiscard]] const std::vector<Note>& notes() const { return notes_; }
  void note(Note note) { add_once(notes_, std::move(note)); }
  /// Notes that were taken of `subject`.
  void note(const std::vector<Note>& notes, const std::string& subject);

  /// Takes a note where one of two things that need each other is missing: a key and a column of the trace.
  void note_column(const char* column, const std::string& key, bool key_given, bool column_there);

  /// A table of models by its path as written; "" for the bundled one.
  const ModelTable& models(const std::string& written);

 private:
  const Study& study_;
  std::map<std::string, std::filesystem::path> read_;
  std::vector<Note> notes_;
  std::map<std::string, std::unique_ptr<ModelTable>> models_;
};

}  // namespace palstudy

/// Texts that name all options on which an input depends, so that runs with equal texts share the input.
namespace palstudy {

/// The trace as written, or the generator: the place of an error about a job.
[[nodiscard]] std::string jobs_of(const RunPlan& run);
[[nodiscard]] std::string topology_text(const RunPlan& run);
[[nodiscard]] std::string cluster_text(const RunPlan& run);
/// The knowledge of the policies, beside the cluster.
[[nodiscard]] std::string belief_text(const RunPlan& run);
/// The seed of the errors of predictions; "" where none are drawn.
[[nodiscard]] std::string prediction_text(const RunPlan& run);
[[nodiscard]] std::uint64_t belief_seed(const RunPlan& run);
[[nodiscard]] std::string workload_text(const RunPlan& run);

}  // namespace palstudy
