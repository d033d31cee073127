// SPDX-License-Identifier: MIT
#pragma once

#include <fmt/format.h>

#include <iterator>
#include <string>
#include <utility>

#include "campaign/campaign.hpp"
#include "campaign/scratch.hpp"
#include "core/files.hpp"

namespace palstudy {

/// A study of two runs of three jobs on eight GPUs, which take milliseconds, and campaigns of it in the folder `dir`.
class SmallCampaign : public Scratch {
 protected:
  SmallCampaign() {
    write_cluster(8, 4, [&](int gpu) { return 1 + gpu / 10.0; });
    write("jobs.csv", trace);
  }
  [[nodiscard]] Study study(const std::string& more = "") const {
    return read(minimal + "cluster.gpus = 8\naxes.\"policy.placement\" = [\"pal\", \"packed-sticky\"]\n" + more);
  }
  [[nodiscard]] CampaignOptions options(std::optional<Slice> slice = std::nullopt) const {
    CampaignOptions made;
    made.output = output;
    made.slice = slice;
    return made;
  }
  [[nodiscard]] CampaignOptions resumed() const {
    CampaignOptions made = options();
    made.resume = true;
    return made;
  }
  static void run(const Study& study, const CampaignOptions& options) {
    Mpi mpi(no_arguments, none);
    EXPECT_EQ(run_campaign(study, options, mpi), 0);
  }
  [[nodiscard]] Merged merge(bool force = false) const {
    Mpi mpi(no_arguments, none);
    return merge_campaign(output, force, "palstudy merge", mpi);
  }
  [[nodiscard]] static std::string content(const std::filesystem::path& file) {
    std::ifstream in(file, std::ios::binary);
    return {std::istreambuf_iterator<char>(in), {}};
  }

  const std::string trace =
      "job_id,submit_s,num_gpus,iterations,iteration_s,class\n0,0,2,1000,1,A\n1,10,1,2000,1,A\n"
      "2,20,4,3000,1,A\n";
  const std::filesystem::path output = dir / "out.h5", parts = parts_dir(output);

 private:
  static inline int no_arguments = 0;
  static inline char** none = nullptr;
};

}  // namespace palstudy
