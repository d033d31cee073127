// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <vector>

#include "analysis/run_values.hpp"
#include "archive/reader.hpp"
#include "core/note.hpp"
#include "study/study.hpp"

namespace palstudy {

/// What a gain depends on most, by key: for each key its values over all runs; what each of the baselines, placements
/// or systems, does to running jobs ("baselines"), what each system is ("systems"), and which other keys are not as by
/// default ("changed").
[[nodiscard]] ValueRecord assumptions_of(const Study& study, const std::vector<std::string>& baselines);

/// A study of several policies names none of them as a baseline.
extern const NoteKind no_baseline;

struct Comparison;

/// A GPU with a slowdown over this can make most of the gain of a policy that avoids it.
inline constexpr double straggler_slowdown = 2;

/// The least and the most slowdown of the slowest GPU, from run to run; nothing where the archive has none.
[[nodiscard]] Value slowest_gpu(const RunValues& runs);

/// Adds what is to be known of the runs before a gain is quoted: in how many the slowest GPU is over
/// `straggler_slowdown` ("slow-gpu"), how many end after the horizon up to which energy is counted ("horizon"), how
/// many jobs were killed at the end of their estimates ("killed-jobs").
void add_notes_on_runs(const ArchiveReader& archive, const RunValues& runs, std::vector<Note>& to);

/// "up-to-end": these metrics need no finish, and so many runs of all left jobs unfinished.
[[nodiscard]] Note note_up_to_end(const std::vector<std::string>& metrics, std::size_t runs, std::size_t all);

/// Of the first metric and of those asked for: which gains are averages of parts with opposite signs ("mixed-signs"),
/// which have another metric that points the other way ("metrics-disagree"), and which leave out pairs that have no
/// ratio ("zero-values").
[[nodiscard]] std::vector<Note> notes_on_gains(const Comparison& comparison);

/// Drops notes of single metrics that nobody asked for: "few-jobs" of one that stands beside the first.
void drop_notes_of_other_metrics(Comparison& comparison);

/// What to do about an archive with one placement: compare another axis, one of policies where there is one.
[[nodiscard]] std::string advice_on_one_placement(const RunValues& runs);

}  // namespace palstudy
