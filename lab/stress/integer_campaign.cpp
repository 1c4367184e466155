// SPDX-License-Identifier: EPL-2.0
#include "lab/stress/integer_campaign.hpp"

#include <CoinError.hpp>
#include <algorithm>
#include <atomic>
#include <cstdlib>
#include <exception>
#include <filesystem>
#include <fstream>
#include <iomanip>
#include <map>
#include <mutex>
#include <sstream>
#include <stdexcept>
#include <thread>

#include "lab/stress/integer_interfaces.hpp"
#include "lab/stress/worker.hpp"
#include "lab/stress/worker_process.hpp"
#include "readers/write.hpp"

namespace osi_cuda::stress {
namespace {

std::vector<std::string> fieldsOf(std::string const& line) {
  std::vector<std::string> fields;
  std::istringstream stream(line);
  for (std::string field; std::getline(stream, field, '\t');) fields.push_back(field);
  return fields;
}

IntegerFamily const& familyOf(std::string const& name) {
  for (IntegerFamily const& family : integerFamilies())
    if (family.name == name) return family;
  throw std::invalid_argument("there is no family of integer problems " + name);
}

std::string commandOf(std::string const& family, std::uint64_t seed, std::string const& interface) {
  return "stress --set integers --kind " + family + " --seeds " + std::to_string(seed) +
         " --interface " + interface;
}

/// Removed at the end.
class Folder {
 public:
  Folder() {
    char name[] = "/tmp/stress-integers-XXXXXX";
    if (mkdtemp(name) == nullptr) throw std::runtime_error("no folder in /tmp");
    path_ = name;
  }
  Folder(Folder const&) = delete;
  Folder& operator=(Folder const&) = delete;
  ~Folder() { std::filesystem::remove_all(path_); }
  std::string const& path() const { return path_; }

 private:
  std::string path_;
};

/// The problem of the last request is kept.
class IntegerWorker {
 public:
  std::string answer(std::string const& line) {
    try {
      auto const fields = fieldsOf(line);
      bool const write = fields.at(0) == "write";
      std::string const& family = fields.at(write ? 1 : 0);
      std::uint64_t const seed = std::stoull(fields.at(write ? 2 : 1));
      make(family, seed);
      return write ? written(family, seed, fields.at(3)) : solved(fields.at(2));
    } catch (CoinError const& error) {  // which is no std::exception
      return "failed " + error.message();
    } catch (std::exception const& error) {
      return std::string("failed ") + error.what();
    }
  }

 private:
  void make(std::string const& family, std::uint64_t seed) {
    std::string const key = family + "/" + std::to_string(seed);
    if (key == key_) return;
    problem_ = makeIntegerProblem(familyOf(family), seed);
    truths_ = IntegerTruths(problem_.lp);
    key_ = key;
  }

  std::string solved(std::string const& interface) {
    if (!truths_.known()) return "unsettled";
    auto const claim = claimThrough(interface, problem_, folder_.path());
    if (!claim) return "absent";
    std::string const fault = faultOf(problem_, truths_, *claim);
    if (!fault.empty() && interface.rfind("cbc", 0) == 0 && isCbcs(interface))
      return "cbc's\t" + digitsOf(claim->seconds) + "\t" + fault;
    char const* const verdict = !fault.empty()                       ? "wrong"
                                : claim->answer == Answer::timeLimit ? "stopped"
                                : claim->answer == Answer::numerical ? "none"
                                                                     : "right";
    return std::string(verdict) + "\t" + digitsOf(claim->seconds) + "\t" +
           (fault.empty() ? claim->status : fault);
  }

  /// Whether a fault of a CbcModel is not OsiCuda's: its tolerance of 1e-6 for whole numbers makes
  /// another optimum, or OsiClp gives a false claim, too.
  bool isCbcs(std::string const& interface) {
    IntegerTruth const loose = enumerated(problem_.lp, {pointTolerance, 1e-6});
    if (!loose.known || loose.feasible != truths_.exact.feasible ||
        loose.optimum != truths_.exact.optimum)
      return true;
    auto const other = claimThrough("clp" + interface.substr(3), problem_, folder_.path());
    return other && !faultOf(problem_, truths_, *other).empty();
  }

  std::string written(std::string const& family, std::uint64_t seed, std::string const& file) {
    std::string const interface = std::filesystem::path(file).stem().extension().string();
    readers::write(file, problem_.lp, readers::FileFormat::freeMps);
    std::ostringstream text;
    text << "* " << commandOf(family, seed, interface.empty() ? "library" : interface.substr(1))
         << "\n* options:";
    for (auto const& [name, value] : problem_.settings.options())
      text << " --" << name << " " << value;
    if (problem_.settings.interruptAfter >= 0)
      text << " (interrupted after " << problem_.settings.interruptAfter << " polls)";
    text << "\n* optimum: "
         << (truths_.exact.feasible ? digitsOf(truths_.exact.optimum.get_d()) : "none");
    if (truths_.tolerant.feasible)
      text << ", with a tolerance of 1e-7 " << digitsOf(truths_.tolerant.optimum.get_d());
    text << "\n" << std::ifstream(file).rdbuf();
    std::ofstream(file) << text.str();
    return "written";
  }

  Folder folder_;
  IntegerProblem problem_;
  IntegerTruths truths_;
  std::string key_;
};

struct Task {
  std::string family;
  std::uint64_t seed;
};

std::vector<Task> tasksOf(IntegerCampaign const& campaign) {
  std::vector<Task> tasks;
  auto const interfaces = static_cast<std::int64_t>(campaign.interfaces.size());
  for (std::uint64_t seed = campaign.firstSeed;; ++seed) {
    bool const more = campaign.solves > 0 ? std::ssize(tasks) * interfaces < campaign.solves
                                          : seed <= campaign.lastSeed;
    if (!more) return tasks;
    for (std::string const& family : campaign.families) tasks.push_back({family, seed});
  }
}

class Report {
 public:
  Report(IntegerCampaign const& campaign, std::ostream& out) : campaign_(campaign), out_(out) {
    if (campaign.csv.empty()) return;
    csv_.open(campaign.csv);
    if (!csv_) throw std::runtime_error(campaign.csv + " can't be written");
    csv_ << "family,seed,interface,verdict,seconds,what\n";
  }

  /// True: the claim is false.
  bool add(Task const& task, std::string const& interface, WorkerProcess::Reply const& reply) {
    std::lock_guard const lock(mutex_);
    IntegerCounts& family = byFamily_[task.family];
    if (task.seed != lastSeed_[task.family]) ++family.problems;
    lastSeed_[task.family] = task.seed;
    if (reply.line == "absent") return false;
    IntegerCounts one;
    std::string verdict = "wrong", what = reply.line;
    if (reply.line == "unsettled") {
      one.unsettled = 1;
      verdict = reply.line;
    } else {
      one.solves = 1;
      auto const fields = fieldsOf(reply.line);
      if (reply.outcome == WorkerProcess::Outcome::crashed) {
        one.crash = 1;
        what = "crash: the process ended";
      } else if (reply.outcome == WorkerProcess::Outcome::late) {
        one.hang = 1;
        what = "hang: no answer";
      } else if (fields.size() == 3) {
        verdict = fields[0];
        one.seconds = std::stod(fields[1]);
        what = fields[2];
      }
      one.right = verdict == "right";
      one.stopped = verdict == "stopped";
      one.none = verdict == "none";
      one.cbcs = verdict == "cbc's";
      one.wrong = verdict == "wrong" && one.crash == 0 && one.hang == 0;
    }
    family.add(one);
    one.problems = 1;
    byInterface_[interface].add(one);
    bool const failed = verdict == "wrong";
    if (failed) {
      std::string const kind = what.substr(0, what.find_first_of(": "));
      ++byKind_[kind];
      out_ << commandOf(task.family, task.seed, interface) << "\n    " << what << std::endl;
    }
    if (csv_.is_open())
      csv_ << task.family << "," << task.seed << "," << interface << "," << verdict << ","
           << one.seconds << ",\"" << what << "\"\n";
    return failed;
  }

  IntegerCounts print() {
    IntegerCounts total;
    auto const table = [&](char const* heading, auto const& counts, auto const& order) {
      out_ << "\n| " << heading
           << " | problems | solves | right | false | crashes | hangs | stopped by a limit | no "
              "status | false, Cbc's own | unsettled | ms a solve "
              "|\n|---|---:|---:|---:|---:|---:|---:|---:|---:|---:"
              "|---:|---:|\n";
      for (std::string const& name : order) {
        auto const found = counts.find(name);
        if (found != counts.end()) line(name, found->second);
      }
    };
    for (auto const& [name, counts] : byFamily_) total.add(counts);
    table("family", byFamily_, campaign_.families);
    line("all", total);
    table("interface", byInterface_, campaign_.interfaces);
    out_ << "\n"
         << total.solves << " solves of " << total.problems << " problems, "
         << total.wrong + total.crash + total.hang << " false";
    char const* before = ": ";
    for (auto const& [kind, number] : byKind_) {
      out_ << before << number << " " << kind;
      before = ", ";
    }
    out_ << "\n";
    return total;
  }

 private:
  void line(std::string const& name, IntegerCounts const& c) {
    out_ << "| " << name << " | " << c.problems << " | " << c.solves << " | " << c.right << " | "
         << c.wrong << " | " << c.crash << " | " << c.hang << " | " << c.stopped << " | " << c.none
         << " | " << c.cbcs << " | " << c.unsettled << " | " << std::fixed << std::setprecision(1)
         << 1e3 * c.seconds / static_cast<double>(std::max<std::int64_t>(1, c.solves)) << " |\n";
  }

  IntegerCampaign const& campaign_;
  std::ostream& out_;
  std::ofstream csv_;
  std::mutex mutex_;
  std::map<std::string, IntegerCounts> byFamily_, byInterface_;
  std::map<std::string, std::uint64_t> lastSeed_;
  std::map<std::string, std::int64_t> byKind_;
};

}  // namespace

void IntegerCounts::add(IntegerCounts const& other) {
  problems += other.problems;
  solves += other.solves;
  right += other.right;
  wrong += other.wrong;
  stopped += other.stopped;
  none += other.none;
  cbcs += other.cbcs;
  crash += other.crash;
  hang += other.hang;
  unsettled += other.unsettled;
  seconds += other.seconds;
}

IntegerCounts run(IntegerCampaign const& campaign, std::ostream& out) {
  for (std::string const& name : campaign.families) familyOf(name);
  auto const tasks = tasksOf(campaign);
  Report report(campaign, out);
  std::atomic<std::size_t> next = 0;
  std::exception_ptr failure;
  std::mutex mutex;
  auto const work = [&] {
    try {
      WorkerProcess process(campaign.worker);
      for (std::size_t k = next++; k < tasks.size(); k = next++) {
        Task const& task = tasks[k];
        std::string const problem = task.family + "\t" + std::to_string(task.seed) + "\t";
        for (std::string const& interface : campaign.interfaces) {
          auto const reply = process.ask(problem + interface, campaign.patience);
          if (report.add(task, interface, reply) && !campaign.writeFailures.empty())
            process.ask("write\t" + problem + campaign.writeFailures + "/" + task.family + "-" +
                            std::to_string(task.seed) + "." + interface + ".mps",
                        campaign.patience);
        }
      }
    } catch (...) {
      std::lock_guard const lock(mutex);
      failure = std::current_exception();
    }
  };
  std::vector<std::thread> threads;
  for (int k = 1; k < campaign.jobs; ++k) threads.emplace_back(work);
  work();
  for (std::thread& thread : threads) thread.join();
  if (failure) std::rethrow_exception(failure);
  return report.print();
}

void serveIntegers(int requests, int replies) {
  IntegerWorker worker;
  serveLines(requests, replies, [&](std::string const& line) { return worker.answer(line); });
}

}  // namespace osi_cuda::stress
