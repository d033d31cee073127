// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <vector>

#include "hdf5/hdf5.hpp"

namespace palstudy::hdf5 {

/// Texts whose words are longer than this in all have no `flag_values` and `flag_meanings`: no person reads such a
/// list, and the dataset of names has it.
inline constexpr std::size_t longest_meanings = 8192;

/// `flag_meanings` of the CF conventions (section 3.5): one word a text, with blanks between them. A text that is empty
/// is the word "_", a character that CF does not allow in a word is "_", and a word that is there already gets a "_"
/// more.
[[nodiscard]] std::string flag_meanings(const std::vector<std::string>& texts);

/// Gives a dataset of codes the attributes `flag_values` and `flag_meanings`, by which h5dump, HDFView and libraries
/// for CF show what code i stands for: texts[i]. Nothing without texts, or where the words are too long.
void name_flags(File& file, const std::string& dataset, const std::vector<std::string>& texts);

}  // namespace palstudy::hdf5
