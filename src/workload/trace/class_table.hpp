// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>

#include "core/csv.hpp"
#include "workload/job.hpp"

namespace palstudy {

/// Gives jobs the classes of a table with the columns name and class: that of the job's name, else of its user, else of
/// its account or tenant, else of "*". A job so found has no model, and iterations of a second. The number of jobs that
/// are in no row: they keep theirs.
/// Errors (data, file:line:column): a name or class that is empty, a name that comes twice.
std::size_t assign_classes(Workload& workload, const CsvTable& table);

}  // namespace palstudy
