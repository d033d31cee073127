// SPDX-License-Identifier: MIT
#include "shard/campaign_lock.hpp"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <fstream>
#include <optional>
#include <thread>

#include "core/error.hpp"
#include "message_of.hpp"
#include "record/small_run.hpp"

namespace palstudy {
namespace {

using namespace std::chrono_literals;

/// A process that takes the lock (`join`: as a further rank) and holds it until it is told to end.
class Holder {
 public:
  Holder(const std::filesystem::path& parts, bool join) {
    int ready[2], done[2];
    if (::pipe(ready) != 0 || ::pipe(done) != 0) throw fault("pipe");
    child_ = ::fork();
    if (child_ == 0) {
      ::close(done[1]);
      char byte = 'y';
      std::optional<CampaignLock> lock;
      try {
        lock.emplace(join ? CampaignLock::join(parts, Holders::campaign, 0ms) : CampaignLock::begin(parts, 0ms));
      } catch (const Error&) {
        byte = 'n';
      }
      if (::write(ready[1], &byte, 1) == 1) (void)!::read(done[0], &byte, 1);
      ::_exit(0);
    }
    ::close(ready[1]);
    ::close(done[0]);
    end_ = done[1];
    char byte = 'n';
    has_it_ = ::read(ready[0], &byte, 1) == 1 && byte == 'y';
    ::close(ready[0]);
  }
  ~Holder() {
    // A byte, not the end of the pipe: processes made later hold its other end too.
    const char byte = 'e';
    (void)!::write(end_, &byte, 1);
    ::close(end_);
    ::waitpid(child_, nullptr, 0);
  }
  [[nodiscard]] bool has_it() const { return has_it_; }
  [[nodiscard]] pid_t pid() const { return child_; }

 private:
  pid_t child_ = -1;
  int end_ = -1;
  bool has_it_ = false;
};

std::string refusal(const std::filesystem::path& parts) {
  return message_or_none(ErrorCode::data, [&] { const CampaignLock lock = CampaignLock::begin(parts, 0ms); });
}

// All ranks of one campaign hold it together; a second campaign is refused and told whose process it is.
TEST(CampaignLock, KeepsASecondCampaignOut) {
  const test::TempDir dir;
  const auto parts = dir.path() / "a.h5.parts";
  const Holder first(parts, false), further(parts, true);
  ASSERT_TRUE(first.has_it());
  EXPECT_TRUE(further.has_it());
  const std::string message = refusal(parts);
  EXPECT_NE(message.find("pid " + std::to_string(first.pid())), std::string::npos) << message;
  EXPECT_NE(message.find("host "), std::string::npos) << message;
}

// When the first rank has died but another lives on, as after a killed mpirun, the campaign is still kept out; when
// that one ends too, the next gets the lock although nobody removed the file.
TEST(CampaignLock, AnOrphanKeepsAResumeOutUntilItDies) {
  const test::TempDir dir;
  const auto parts = dir.path() / "a.h5.parts";
  auto first = std::make_unique<Holder>(parts, false);
  auto orphan = std::make_unique<Holder>(parts, true);
  first.reset();
  EXPECT_NE(refusal(parts), "");
  orphan.reset();
  EXPECT_EQ(refusal(parts), "");
}

// The end of a campaign leaves nothing, and a folder with shards stays.
TEST(CampaignLock, RemovesWhatItMade) {
  const test::TempDir dir;
  const auto parts = dir.path() / "a.h5.parts";
  {
    CampaignLock lock = CampaignLock::begin(parts, 0ms);
    EXPECT_TRUE(std::filesystem::exists(parts / "lock"));
    lock.remove_file();
  }
  EXPECT_FALSE(std::filesystem::exists(parts));
}

// A lock that takes the place of another frees that one, and removes its own folder then; one that was moved from has
// nothing to close, least of all the standard input of the program.
TEST(CampaignLock, MovesWithItsFolder) {
  const test::TempDir dir;
  const auto one = dir.path() / "1.h5.parts", two = dir.path() / "2.h5.parts";
  const int input = ::fcntl(STDIN_FILENO, F_GETFD);
  {
    CampaignLock lock = CampaignLock::begin(one, 0ms);
    lock = CampaignLock::begin(two, 0ms);
    EXPECT_EQ(refusal(one), "");
    EXPECT_NE(refusal(two), "");
    CampaignLock last = std::move(lock);
    EXPECT_NE(refusal(two), "");
    last.remove_file();
  }
  EXPECT_EQ(::fcntl(STDIN_FILENO, F_GETFD), input);
  EXPECT_TRUE(std::filesystem::exists(one / "lock"));
  EXPECT_FALSE(std::filesystem::exists(two));
}

/// What is said of a lock that cannot be one.
std::string usage_refusal(const std::filesystem::path& parts) {
  return message_of(ErrorCode::usage, [&] { const CampaignLock lock = CampaignLock::begin(parts, 0ms); });
}

// A link in the place of a lock or of the folder, another name of a file, or a pipe is refused. What it stands for is
// neither emptied nor written nor waited for.
TEST(CampaignLock, NothingIsWrittenThroughALink) {
  const test::TempDir dir;
  const auto parts = dir.path() / "a.h5.parts", precious = dir.path() / "precious.txt";
  std::ofstream(precious) << "kept";
  std::filesystem::create_directory(parts);
  for (const char* name : {"lock", "slices.lock"}) {
    std::filesystem::create_symlink(precious, parts / name);
    EXPECT_NE(usage_refusal(parts).find(std::string(name) + ": is a link; the lock has this name"), std::string::npos);
    std::filesystem::remove(parts / name);
  }
  std::filesystem::create_symlink(dir.path() / "nothing", parts / "lock");
  EXPECT_NE(usage_refusal(parts), "");
  EXPECT_FALSE(std::filesystem::exists(dir.path() / "nothing"));
  std::filesystem::remove(parts / "lock");
  std::filesystem::create_hard_link(precious, parts / "lock");
  EXPECT_NE(usage_refusal(parts).find("lock: is no file of its own"), std::string::npos);
  std::filesystem::remove(parts / "lock");
  ASSERT_EQ(::mkfifo((parts / "lock").c_str(), 0600), 0);
  EXPECT_NE(usage_refusal(parts).find("lock: is no file of its own"), std::string::npos);
  std::filesystem::remove(parts / "lock");
  std::filesystem::create_directory_symlink(parts, dir.path() / "b.h5.parts");
  EXPECT_NE(usage_refusal(dir.path() / "b.h5.parts").find("b.h5.parts: is a link"), std::string::npos);
  EXPECT_TRUE(std::filesystem::is_empty(parts));
  std::ifstream in(precious);
  std::string text;
  std::getline(in, text);
  EXPECT_EQ(text, "kept");
}

// A lock on a file that was removed guards nothing, so a new campaign may begin: on a new file.
TEST(CampaignLock, ARemovedFileIsNoLock) {
  const test::TempDir dir;
  const auto parts = dir.path() / "a.h5.parts";
  CampaignLock old = CampaignLock::begin(parts, 0ms);
  old.remove_file();
  CampaignLock fresh = CampaignLock::begin(parts, 0ms);
  EXPECT_TRUE(std::filesystem::exists(parts / "lock"));
  EXPECT_NE(refusal(parts), "");
}

// A campaign that ends removes the folder at any moment of the next one's beginning, which only has to try again.
TEST(CampaignLock, BeginsWhileAnotherRemovesTheFolder) {
  const test::TempDir dir;
  const auto parts = dir.path() / "a.h5.parts";
  std::atomic<bool> over{false};
  std::thread ending([&] {
    while (!over) {
      (void)::rmdir(parts.c_str());
      std::this_thread::sleep_for(20us);  // without a pause the folder would never be there
    }
  });
  for (int i = 0; i < 40; ++i) {
    EXPECT_NO_THROW({
      CampaignLock lock = i % 2 == 0 ? CampaignLock::begin(parts) : CampaignLock::share(parts);
      lock.remove_file();
    });
  }
  over = true;
  ending.join();
}

// Slices work side by side, and neither a campaign nor a merge begins while one of them lives, nor a slice while a
// campaign does; afterwards each may.
TEST(CampaignLock, SlicesAndACampaignKeepEachOtherOut) {
  const test::TempDir dir;
  const auto parts = dir.path() / "a.h5.parts";
  {
    const CampaignLock first = CampaignLock::share(parts, 0ms);
    const CampaignLock further = CampaignLock::join(parts, Holders::slices, 0ms);
    const CampaignLock second = CampaignLock::share(parts, 0ms);
    const std::string message = refusal(parts);
    EXPECT_NE(message.find("pid " + std::to_string(::getpid())), std::string::npos) << message;
  }
  {
    CampaignLock campaign = CampaignLock::begin(parts, 0ms);
    EXPECT_THROW((void)CampaignLock::share(parts, 0ms), Error);
    campaign.remove_file();
  }
  EXPECT_FALSE(std::filesystem::exists(parts)) << "the lock of the slices has to go too";
  {
    auto orphan = CampaignLock::begin(parts, 0ms);
    const CampaignLock rank = CampaignLock::join(parts, Holders::campaign, 0ms);
    { const CampaignLock gone = std::move(orphan); }
    EXPECT_THROW((void)CampaignLock::share(parts, 0ms), Error) << "a rank of the campaign still lives";
  }
  CampaignLock first = CampaignLock::share(parts, 0ms);
  {
    CampaignLock second = CampaignLock::share(parts, 0ms);
    second.remove_file();
    EXPECT_TRUE(std::filesystem::exists(parts / "slices.lock")) << "the first one still needs it";
  }
  EXPECT_NE(refusal(parts), "") << "and still has it";
  first.remove_file();
  EXPECT_EQ(refusal(parts), "");
}

// A further rank makes no folder: one that it does not see lies on another host, and its shards would be lost there.
TEST(CampaignLock, AFurtherRankMakesNoFolder) {
  const test::TempDir dir;
  const auto parts = dir.path() / "a.h5.parts";
  EXPECT_THROW((void)CampaignLock::join(parts, Holders::campaign, 0ms), Error);
  EXPECT_FALSE(std::filesystem::exists(parts));
}

// Where the folder cannot be made the error says so and nothing is left.
TEST(CampaignLock, RefusesAFolderThatCannotBe) {
  const test::TempDir dir;
  EXPECT_NE(refusal(dir.path() / "none" / "a.h5.parts"), "");
  EXPECT_FALSE(std::filesystem::exists(dir.path() / "none"));
}

// A slice that ends while others work asks for the lock alone, which it does not get; it goes on to share it all the
// same until it has ended, so that no campaign begins beside its last writes once the others are gone.
TEST(CampaignLock, ASliceThatIsNotTheLastKeepsItsShare) {
  const test::TempDir dir;
  const auto parts = dir.path() / "a.h5.parts";
  auto first = std::make_unique<CampaignLock>(CampaignLock::share(parts, 0ms));
  auto second = std::make_unique<CampaignLock>(CampaignLock::share(parts, 0ms));
  second->remove_file();
  first.reset();
  EXPECT_NE(refusal(parts), "");
  second.reset();
  EXPECT_EQ(refusal(parts), "");
}

// Each refusal says what is in the way and what to do about it. A lock that was taken before the refusal is given back.
TEST(CampaignLock, RefusalsSayWhatToDo) {
  const test::TempDir dir;
  const auto parts = dir.path() / "a.h5.parts";
  const auto expect_words = [](const std::string& said, const std::vector<std::string>& words) {
    for (const std::string& word : words) EXPECT_NE(said.find(word), std::string::npos) << word << " not in " << said;
  };
  expect_words(refusal(dir.path() / "none" / "a.h5.parts"),
               {"folder cannot be made: No such file", "check that the output's folder is there and may be written"});
  expect_words(message_of(ErrorCode::data, [&] { (void)CampaignLock::join(parts, Holders::slices, 0ms); }),
               {"does not see the folder that the first one made", "that all hosts share"});
  for (const char* name : {"lock", "slices.lock"}) {
    std::filesystem::create_directories(parts / name);
    expect_words(refusal(parts), {"the lock cannot be used: Is a directory", name, "that the folder may be written"});
    std::filesystem::remove(parts / name);
    EXPECT_EQ(refusal(parts), "") << name;
  }
  const Holder other(parts, false);
  expect_words(refusal(parts), {"another campaign is at work here (host ", "lock", "wait until it and every process"});
}

}  // namespace
}  // namespace palstudy
