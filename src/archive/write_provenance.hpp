// SPDX-License-Identifier: MIT
#pragma once

#include "archive/archive.hpp"
#include "archive/hdf5.hpp"

namespace palstudy {

/// Writes the root attributes that say how a file came to be, and the resolved study as /study/resolved.
void write_provenance(hdf5::File& file, const Provenance& from);

}  // namespace palstudy
