// SPDX-License-Identifier: MIT
#pragma once

#include <string>

#include "archive/file_checks.hpp"
#include "record/tables.hpp"

namespace palstudy {

/// Replays the rows of a run in /events, one finding at most: they are in their order; no GPU is held twice; a job
/// begins and moves where it is not over, and stops and finishes where it holds GPUs. At the end every job stands as
/// its row in /jobs says, if there is one. A run without events is not looked at.
///
/// At one instant the rows of a job are those of its finish, its stops and its launch, in this order, whatever came
/// first. All GPUs that jobs leave at an instant are free before others are taken, and what a job holds for no
/// time is free for all.
void check_events(const RunRecord& record, Found& found);

}  // namespace palstudy
