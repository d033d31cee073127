// SPDX-License-Identifier: MIT
#pragma once

#include <filesystem>
#include <vector>

#include "core/note.hpp"
#include "study/parsed_study.hpp"

namespace palstudy {

/// Puts what the slurm.conf of `slurm.conf` says in the place of keys that the study does not give, and takes that key
/// out: nodes, weights, queues, and the settings that keys of `[slurm]` stand for. Jobs are then scheduled as by Slurm.
/// Keys of policies that no run has are left out. Errors: those of read_slurm_conf, with the key that names the file.
void take_slurm_conf(ParsedStudy& parsed, const std::filesystem::path& study_file, std::vector<Note>& notes);

}  // namespace palstudy
