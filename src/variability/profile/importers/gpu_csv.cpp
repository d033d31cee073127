// SPDX-License-Identifier: MIT
// The project's own layout for benchmarks: a CSV with a row a GPU and, in runs/ beside it, one with a row a run.
#include "core/error.hpp"
#include "core/files.hpp"
#include "core/sha256.hpp"
#include "variability/profile/importer.hpp"
#include "variability/profile/profile_import.hpp"

namespace palstudy {
namespace {

std::filesystem::path runs_of(const ImportFile& file) {
  return file.path.parent_path() / "runs" / file.path.filename();
}

bool looks_like_gpu_csv(const ImportFile& file) {
  const std::string header = file.text.substr(0, file.text.find('\n'));
  return header.find("gpu_id") != std::string::npos && header.find("time") == std::string::npos;
}

ImportedFile read_gpu_csv(const ImportFile& file, const ImportColumns& /*columns*/) {
  const auto runs = runs_of(file);
  if (!std::filesystem::is_regular_file(runs)) {
    throw data_error("the runs of this measurement are missing", runs.string(),
                     "a CSV with a row for each run has to stand there: gpu_id,time_ms");
  }
  constexpr std::size_t digits = 12;
  const std::string both = sha256_hex(sha256_file(file.path) + sha256_file(runs));
  ImportedFile made;
  made.profile = import_measurements(file.path, "import-" + file.stem() + "-" + both.substr(0, digits));
  made.beside = {runs};
  return made;
}

}  // namespace

void register_importer_gpu_csv(ImporterRegistry& registry) {
  registry.add({"gpu-csv",
                "A CSV with a row a GPU (gpu_id, host, local_gpu), and in runs/ beside it one with a row a run.",
                {},
                {looks_like_gpu_csv, read_gpu_csv}});
}

}  // namespace palstudy
