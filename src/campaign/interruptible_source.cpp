// SPDX-License-Identifier: MIT
#include "campaign/interruptible_source.hpp"

#include <utility>

#include "core/error.hpp"

namespace palstudy {

InterruptibleSource::InterruptibleSource(RecordSource& records, const StopSignals& signals, std::filesystem::path output,
                           std::string command)
    : records_(records), signals_(signals), output_(std::move(output)), command_(std::move(command)) {}

const RunRecord& InterruptibleSource::record(std::size_t i) {
  if (signals_.ends_soon()) {
    throw Error(ErrorCode::stopped, "stopped while it was being written; every run is kept", output_.string(),
                command_ + " writes it, and so does palstudy run --resume");
  }
  return records_.record(i);
}

}  // namespace palstudy
