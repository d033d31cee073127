// SPDX-License-Identifier: MIT
#include "shard/frame_file.hpp"
#include "shard/shard.hpp"

namespace palstudy {

struct ShardWriter::State {
  FrameFile file;
};

ShardWriter::ShardWriter(const std::filesystem::path& parts, const std::string& start, int team)
    : state_(new State{FrameFile(parts / (start + "-" + std::to_string(team) + ".shard"))}) {}

ShardWriter::~ShardWriter() = default;

void ShardWriter::append(const RunRecord& record) { state_->file.append(encode_frame(record)); }

void ShardWriter::tick() { state_->file.tick(); }

void ShardWriter::sync() { state_->file.sync(); }

void ShardWriter::close() { state_->file.close(); }

const std::filesystem::path& ShardWriter::path() const { return state_->file.path(); }

}  // namespace palstudy
