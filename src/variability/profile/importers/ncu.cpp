// SPDX-License-Identifier: MIT
// --csv of Nsight Compute: with the metrics of pipes how an application uses a GPU, without them times of kernels.
#include <fmt/format.h>

#include <string>

#include "core/csv.hpp"
#include "core/error.hpp"
#include "variability/profile/importer.hpp"
#include "variability/profile/profile_import.hpp"

namespace palstudy {
namespace {

bool looks_like_ncu(const ImportFile& file) { return is_ncu_csv(file.text); }

ImportedFile read_ncu(const ImportFile& file, const ImportColumns& /*columns*/) {
  if (counts_pipes(file.text)) return {import_ncu(file.text, file.name()), {}, {}, {}};
  ProfileOfTimes profile("ncu", session_of(file));
  for (const NcuLaunch& launch : ncu_launches(file.text, file.name())) {
    MeasuredTime one;
    one.host = file.stem();  // what the file calls a host is mostly an address
    one.gpu = launch.device;
    one.kernel = launch.kernel;
    one.params = launch.shape;
    one.ms = 1e3 * launch.seconds;
    profile.add(one, [&] { return launch.where; });
  }
  return {profile.take(), {}, {}, {}};
}

}  // namespace

void register_importer_ncu(ImporterRegistry& registry) {
  registry.add({"ncu",
                "--csv of Nsight Compute, details or raw: how an application uses a GPU, or durations of kernels by "
                "device, of one host, which is called as the file.",
                {},
                {looks_like_ncu, read_ncu}});
}

}  // namespace palstudy
