// SPDX-License-Identifier: MIT
#pragma once

#include <filesystem>
#include <string>

#include "core/stop_signals.hpp"
#include "record/record_source.hpp"

namespace palstudy {

/// The records of another source, which must outlive this, for as long as nobody wants the process to end: an archive
/// takes minutes to write where there are many jobs, and whoever sends SIGTERM sends SIGKILL soon. It is asked before
/// each record, so the last one is written to its end. SIGUSR1 says that there is time left, and the archive is then
/// the best use of it.
class InterruptibleSource final : public RecordSource {
 public:
  /// For the message: `output` is the archive that is being written, `command` what will write it.
  InterruptibleSource(RecordSource& records, const StopSignals& signals, std::filesystem::path output, std::string command);
  [[nodiscard]] std::size_t size() const override { return records_.size(); }
  /// Errors: stopped; as of the other source.
  [[nodiscard]] const RunRecord& record(std::size_t i) override;

 private:
  RecordSource& records_;
  const StopSignals& signals_;
  std::filesystem::path output_;
  std::string command_;
};

}  // namespace palstudy
