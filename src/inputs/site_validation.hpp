// SPDX-License-Identifier: MIT
#pragma once

#include <filesystem>
#include <optional>
#include <string>

#include "core/note.hpp"
#include "study/study.hpp"
#include "workload/job.hpp"

namespace palstudy {

/// The run that does what the site does: `[policy]`, or the first baseline where placements or systems are an axis; the
/// first value of every other axis.
[[nodiscard]] const RunPlan& site_run(const Study& study);
/// That run on the trace as it is: not resampled or copied, all jobs measured, without failures, neighbours or power
/// switching. No job is killed at its limit: a recorded duration ends where the site's limit ended it.
[[nodiscard]] RunPlan as_the_site_ran(const Study& study);

/// Whether the trace of a run says when jobs started.
[[nodiscard]] bool has_recorded_starts(const Workload& workload);
/// Errors (data, at the trace): it does not.
void require_recorded_starts(const Workload& workload, const RunPlan& run);

/// What a validation is of: hashes (SHA-256) of the trace's file, and of the values of all keys that the scheduler, its
/// nodes and the jobs hang on.
struct ValidatedFor {
  std::string trace, scheduler;
  friend bool operator==(const ValidatedFor&, const ValidatedFor&) = default;
};
/// Errors (data): the trace, or a file of the scheduler, cannot be read.
[[nodiscard]] ValidatedFor validated_for(const Study& study, const RunPlan& run);

/// `STUDY.validated.json`, beside the study.
[[nodiscard]] std::filesystem::path validation_file(const Study& study);

/// A verdict as it is kept beside a study.
struct KeptVerdict {
  ValidatedFor of;
  std::string verdict;  ///< name_of(SiteVerdict)
  double recorded_wait_s = 0, simulated_wait_s = 0;
  std::size_t jobs = 0;
};
/// None if there is no file. Errors (data): it is something else.
[[nodiscard]] std::optional<KeptVerdict> kept_verdict(const std::filesystem::path& file);

/// For a trace with recorded starts: "validated" or "rejected-model" with the figures, or "not-validated", also if the
/// trace or the scheduler has changed since.
[[nodiscard]] Note validation_note(const Study& study, const RunPlan& run);
/// Whether it is one of these.
[[nodiscard]] bool is_of_validation(const Note& note);

}  // namespace palstudy
