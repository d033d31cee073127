// SPDX-License-Identifier: MIT
#include "shard/open_output.hpp"

#include "core/error.hpp"
#include "core/output.hpp"

namespace palstudy {

void open_output(const std::filesystem::path& output, const std::function<void()>& open,
                 const std::function<void()>& tidy) {
  try {
    make_folder_of(output);
    open();
  } catch (const std::filesystem::filesystem_error& error) {
    tidy();
    throw data_error(error.code().message(), output.string(), "give another -o");
  } catch (...) {
    tidy();
    throw;
  }
}

void work_or_tidy(const Mpi& mpi, const std::function<void()>& work, const std::function<void()>& tidy) {
  try {
    work();
  } catch (...) {
    if (mpi.rank() == 0) tidy();
    throw;
  }
}

}  // namespace palstudy
