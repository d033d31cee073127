// SPDX-License-Identifier: MIT
#pragma once

// What the rooms above use of this one.
#include "hdf5/attribute.hpp"
#include "hdf5/content_checksum.hpp"
#include "hdf5/dataset.hpp"
#include "hdf5/dimension_scales.hpp"
#include "hdf5/file.hpp"
#include "hdf5/stream.hpp"
