// SPDX-License-Identifier: MIT
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "analysis/looks_taken.hpp"
#include "analysis/run_claims.hpp"
#include "campaign/existing_archive.hpp"
#include "record/record.hpp"
#include "study/study.hpp"

namespace palstudy {

/// What the stopping rule sees of the runs: a function of their results alone. By number of the run.
struct RunOutcome {
  bool ended = false;
  double value = 0;  ///< of the rule's metric
  NoClaim no_claim = NoClaim::none;
};
using Outcomes = std::vector<RunOutcome>;
/// From rows of /runs of this study: of all its runs or of some. The study has a stopping rule.
[[nodiscard]] Outcomes outcomes_of(const Study& study, const TableData& runs);
/// The outcomes in the shards and in the archive that they will replace.
[[nodiscard]] Outcomes outcomes_of(const Study& study, const std::filesystem::path& parts,
                                   const std::optional<ExistingArchive>& existing);

/// Where a campaign with a stopping rule is.
struct LookState {
  std::size_t look = 0;   ///< its place in StopRule::looks: the first that is not complete, or at which the seeds end
  std::size_t ended = 0;  ///< of its runs
  bool ends = false;      ///< all its runs have ended, and no seeds are added any more
  bool narrow = false;    ///< it ends because every comparison is narrow enough, not because it is the last look
  LookFinding why;        ///< what the last look found that was taken
};
/// Takes one look after the other, as long as all runs of a look have ended. At a look the rule ends the study if the
/// intervals of all comparisons that the study names are narrow enough: each policy against each baseline, over all
/// other axes together, as `compare` makes them. A run that makes no claim is no reason to end early: others may be
/// compared, but the study then goes on to its last look.
[[nodiscard]] LookState look_at(const Study& study, const Outcomes& outcomes);

/// The study with the seeds of one look alone; its runs, their numbers and ids are the same.
[[nodiscard]] Study part_of(const Study& study, std::size_t look);
/// The runs of a look, of all runs without a stopping rule.
[[nodiscard]] std::size_t runs_at(const Study& study, std::size_t look);

/// "look 2 of 4, at 40 seeds"
[[nodiscard]] std::string name_of_look(const Study& study, std::size_t look);
/// The looks that were taken, and why they ended; `state`: after the last of them.
[[nodiscard]] LooksTaken looks_taken(const Study& study, const LookState& state);

/// The look up to which `--slice` works: the plan that merge writes beside the shards; the first look without one.
[[nodiscard]] std::size_t planned_look(const Study& study, const std::filesystem::path& parts);
void write_plan(const Study& study, std::size_t look, const std::filesystem::path& parts);

}  // namespace palstudy
