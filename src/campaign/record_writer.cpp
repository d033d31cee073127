// SPDX-License-Identifier: MIT
#include "campaign/record_writer.hpp"

#include <utility>

namespace palstudy {

void RecordWriter::begin(std::function<RunRecord()> make) {
  at_work_ = thread_.begin([this, make = std::move(make)] {
    const RunRecord record = make();
    if (!shard_) shard_.emplace(parts_, start_, rank_, inputs_);
    shard_->append(record);
    return WrittenRun{record.id, record.status == RunStatus::failed};
  });
}

void RecordWriter::wait(std::chrono::milliseconds at_most) const {
  if (busy()) (void)at_work_.wait_for(at_most);
}

std::optional<WrittenRun> RecordWriter::poll() {
  if (!busy() || at_work_.wait_for(std::chrono::seconds(0)) != std::future_status::ready) return std::nullopt;
  return at_work_.get();
}

void RecordWriter::tick() {
  if (!busy() && shard_) shard_->tick();
}

void RecordWriter::sync() {
  if (shard_) shard_->sync();
}

void RecordWriter::close() {
  if (shard_) shard_->close();
  shard_.reset();
}

}  // namespace palstudy
