// SPDX-License-Identifier: MIT
#pragma once

// What the rooms above use of this one.
#include "archive/diff.hpp"
#include "archive/export.hpp"
#include "archive/provenance.hpp"
#include "archive/reader.hpp"
#include "archive/verify.hpp"
#include "archive/write_archive.hpp"
