// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "core/csv.hpp"
#include "workload/job.hpp"

namespace palstudy {

/// What a table of classes did not reach.
struct AssignedClasses {
  std::size_t others = 0;         ///< jobs that are in no row
  std::vector<std::string> idle;  ///< names of rows that no job is in
};

/// Gives jobs the classes of a table with the columns name and class: that of the job's name, else of its user, else of
/// its account or tenant, else of "*". A job so found has no model, and iterations of a second. Others keep theirs.
/// Errors (data, file:line:column): a name or class that is empty, a name that comes twice, other columns.
AssignedClasses assign_classes(Workload& workload, const CsvTable& table);

}  // namespace palstudy
