// SPDX-License-Identifier: EPL-2.0
#include "osi_cuda/model/options.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <iterator>
#include <optional>
#include <type_traits>
#include <utility>

#include "osi_cuda/base/spelling.hpp"

namespace osi_cuda {
namespace {

template <class T>
struct Range {
  T minimum;
  T maximum;
  bool holds(T value) const { return value >= minimum && value <= maximum; }
};

/// The shortest text that reads back as the same value.
template <class T>
std::string toText(T value) {
  std::array<char, 64> buffer;
  auto const end = std::to_chars(buffer.data(), buffer.data() + buffer.size(), value).ptr;
  return {buffer.data(), end};
}

template <class T>
std::optional<T> parse(std::string_view text) {
  T value{};
  auto const [end, fault] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (fault != std::errc{} || end != text.data() + text.size()) return std::nullopt;
  if constexpr (std::is_floating_point_v<T>) {
    if (std::isnan(value)) return std::nullopt;
  }
  return value;
}

std::string mismatch(std::string const& values, std::string_view found) {
  return "expected " + values + ", found '" + std::string(found) + "'";
}

/// "a", "a or b", "a, b or c".
std::string joined(std::vector<std::string> const& words) {
  std::string text;
  for (std::size_t i = 0; i < words.size(); ++i) {
    if (i > 0) text += i + 1 == words.size() ? " or " : ", ";
    text += words[i];
  }
  return text;
}

template <class T>
std::string phrase(Range<T> const& range) {
  std::string const kind = std::is_integral_v<T> ? "an integer" : "a number";
  bool const open = range.maximum == std::numeric_limits<T>::max() ||
                    range.maximum == std::numeric_limits<T>::infinity();
  if (!open) return kind + " from " + toText(range.minimum) + " to " + toText(range.maximum);
  bool const everything =
      range.minimum == -std::numeric_limits<T>::infinity() && !std::is_integral_v<T>;
  return everything ? kind : kind + " >= " + toText(range.minimum);
}

/// What records of every kind have in common, of a record that has the rest.
template <class T>
OptionRecord finished(OptionRecord record, T Options::*member) {
  record.copy = [member](Options const& from, Options& to) { to.*member = from.*member; };
  record.defaultText = record.get(Options{});
  return record;
}

template <class T>
OptionRecord choice(char const* name, T Options::*member,
                    std::type_identity_t<std::vector<Word<T>>> const& words,
                    std::string const& help) {
  OptionRecord record;
  record.name = name;
  record.kind = OptionKind::choice;
  record.help = help;
  for (Word<T> const& word : words) record.choices.emplace_back(word.word);
  record.values = joined(record.choices);
  record.set = [member, words, values = record.values](Options& options, std::string_view text) {
    auto const found = std::ranges::find(words, text, &Word<T>::word);
    if (found == words.end()) return mismatch(values, text);
    options.*member = found->value;
    return std::string();
  };
  record.get = [member, words](Options const& options) {
    auto const found = std::ranges::find(words, options.*member, &Word<T>::value);
    return std::string(found == words.end() ? "" : found->word);
  };
  record.holds = [get = record.get](Options const& options) { return !get(options).empty(); };
  return finished(std::move(record), member);
}

/// `word`: of a value that may be out of the range, if there is one.
template <class T>
OptionRecord numeric(char const* name, T Options::*member, Range<std::type_identity_t<T>> range,
                     std::optional<Word<std::type_identity_t<T>>> word, char const* help) {
  OptionRecord record;
  record.name = name;
  record.kind = std::is_integral_v<T> ? OptionKind::integer : OptionKind::number;
  record.help = help;
  record.minimum = static_cast<double>(range.minimum);
  record.maximum = static_cast<double>(range.maximum);
  if (word) record.choices.emplace_back(word->word);
  record.values = (word ? std::string(word->word) + " or " : std::string()) + phrase(range);
  auto const isWords = [word](T value) { return word && value == word->value; };
  record.set = [=, values = record.values](Options& options, std::string_view text) {
    std::optional<T> const value =
        word && text == word->word ? std::optional<T>(word->value) : parse<T>(text);
    if (!value || (!range.holds(*value) && !isWords(*value))) return mismatch(values, text);
    options.*member = *value;
    return std::string();
  };
  record.get = [=](Options const& options) {
    return isWords(options.*member) ? std::string(word->word) : toText(options.*member);
  };
  record.holds = [=](Options const& options) {
    return range.holds(options.*member) || isWords(options.*member);
  };
  return finished(std::move(record), member);
}

/// The option `devices`: a word or numbers.
OptionRecord deviceList(char const* help) {
  OptionRecord record;
  record.name = "devices";
  record.kind = OptionKind::list;
  record.help = help;
  record.choices = {"one", "all"};
  record.values = "one, all or numbers as in 0,2";
  record.set = [values = record.values](Options& options, std::string_view text) {
    if (text != "one" && text != "all" && numbersIn(text).empty()) return mismatch(values, text);
    options.devices = text == "one" ? "" : text;
    return std::string();
  };
  record.get = [](Options const& options) {
    return options.devices.empty() ? "one" : options.devices;
  };
  record.holds = [](Options const& options) {
    std::string const& devices = options.devices;
    return devices.empty() || devices == "all" || !numbersIn(devices).empty();
  };
  return finished(std::move(record), &Options::devices);
}

std::vector<Word<Pricing>> pricingWords() {
  std::vector<Word<Pricing>> words;
  for (PricingRule const& record : pricingTable) words.push_back({record.name, record.rule});
  return words;
}
std::string pricingHelp() {
  std::string help = "how the entering (primal) or leaving (dual) variable is chosen";
  for (PricingRule const& record : pricingTable) {
    help += record.rule == Pricing::automatic ? "; " : ", ";
    help += std::string(record.name) + ": " + record.description;
  }
  return help;
}

std::vector<OptionRecord> makeTable() {
  constexpr double infinite = std::numeric_limits<double>::infinity();
  constexpr std::int64_t largest = std::numeric_limits<std::int64_t>::max();
  constexpr Range<double> tolerance{1e-12, 0.1};
  using A = AlgorithmChoice;
  using R = Representation;
  using T = Toggle;
  std::vector<OptionRecord> table{
      choice("engine", &Options::engine, {std::begin(engineWords), std::end(engineWords)},
             "where the pivots run; auto: cuda if a device is available and faster, else host"),
      choice("algorithm", &Options::algorithm,
             {{"auto", A::automatic},
              {"primal", A::primal},
              {"dual", A::dual},
              {"barrier", A::barrier},
              {"race", A::race}},
             "the simplex algorithm to start with, or the interior point method with crossover; "
             "race: all at once, the first proof wins"),
      choice("race", &Options::race,
             {{"auto", RaceChoice::automatic},
              {"off", RaceChoice::off},
              {"time", RaceChoice::time},
              {"work", RaceChoice::work}},
             "several algorithms at once, decided by the clock; auto: where four threads are idle; "
             "time: with two; work: by counted work, the same winner in every run; off: no races"),
      choice("crossover", &Options::crossover, {{"on", true}, {"off", false}},
             "continue from the interior point to a vertex; off: return the interior point"),
      choice("pricing", &Options::pricing, pricingWords(), pricingHelp()),
      choice("representation", &Options::representation,
             {{"auto", R::automatic}, {"tableau", R::tableau}, {"factors", R::factors}},
             "basis on the host: dense tableau or sparse LU factors; auto: by size and density"),
      numeric("time-limit", &Options::timeLimit, {0.0, infinite}, {{"none", infinite}},
              "seconds of wall time, reading included"),
      numeric("iteration-limit", &Options::iterationLimit, {0, largest}, {{"none", largest}},
              "pivots, bound flips and interior point iterations"),
      numeric("objective-limit", &Options::objectiveLimit, {-infinite, infinite},
              {{"none", infinite}},
              "stop the dual simplex once the optimum is proved worse than this"),
      numeric("primal-tolerance", &Options::primalTolerance, tolerance, {},
              "bound violation that counts as feasible"),
      numeric("dual-tolerance", &Options::dualTolerance, tolerance, {},
              "wrong-signed reduced cost that counts as optimal"),
      numeric("infinity", &Options::infiniteFrom, {1.0, infinite}, {{"none", infinite}},
              "size from which bounds and sides of rows are infinite where a "
              "problem is read, loaded or changed; OSI: 1e30, of files only"),
      numeric("seed", &Options::seed, {0, std::numeric_limits<std::uint64_t>::max()}, {},
              "seed of all random choices; the same seed repeats the same pivots"),
      numeric("threads", &Options::threads, {1, 4096}, {{"auto", 0}},
              "processor cores to use; auto: all"),
      numeric("device", &Options::device, {0, 1023}, {}, "number of the CUDA device"),
      deviceList("CUDA devices that share a dense solve by the interior point method, the "
                 "problems of a batch, or the nodes of the own search; one: that of --device"),
      choice(
          "device-loss", &Options::deviceLoss,
          {{"auto", DeviceLoss::automatic}, {"host", DeviceLoss::host}, {"stop", DeviceLoss::stop}},
          "where a device fails in the middle; host: the processor continues; stop: an error; "
          "auto: osi-cuda solve and batch --output begin again as a new process, regress stops, "
          "else host"),
      numeric("block-size", &Options::blockSize, {1, 4096}, {{"auto", 0}},
              "pivots between two block updates of the tableau; auto: by size"),
      numeric("sketch-size", &Options::sketchSize, {1, 4096}, {{"auto", 0}},
              "rows of the random sketch of sketched pricing; auto: by size"),
      choice("scaling", &Options::scaling, {{"on", true}, {"off", false}},
             "scale rows and columns before solving"),
      choice("perturbation", &Options::perturbation,
             {{"auto", T::automatic}, {"off", T::off}, {"on", T::on}},
             "perturb bounds or costs against stalling, and remove it at the end"),
      choice("presolve", &Options::presolve,
             {{"auto", T::automatic}, {"on", T::on}, {"off", T::off}},
             "solve a reduced problem first, or the dual of a tall one; the original problem is "
             "proved; auto: large problems without a starting basis"),
      choice("exact", &Options::exact, {{"auto", T::automatic}, {"off", T::off}, {"on", T::on}},
             "settle status and objective in rational arithmetic, without tolerances; auto: "
             "doubtful answers whose proof takes a few seconds"),
      choice("exact-numbers", &Options::exactNumbers,
             {{"auto", ExactNumbers::automatic},
              {"doubles", ExactNumbers::doubles},
              {"decimals", ExactNumbers::decimals}},
             "what exact proofs take numbers for: the doubles, or the shortest decimals that are "
             "read as them (1/10 for 0.1); auto: decimals for text files with exact on"),
      choice(
          "enclose", &Options::enclose, {{"auto", T::automatic}, {"off", T::off}, {"on", T::on}},
          "look for finite bounds of the exact optimum (objective_lower, objective_upper); auto: "
          "where that is quick beside the solve, on: for as long as it takes"),
      numeric("absolute-gap", &Options::absoluteGap, {0.0, infinite}, {},
              "integers: distance of objective and bound that counts as optimal"),
      numeric("relative-gap", &Options::relativeGap, {0.0, infinite}, {},
              "integers: the same as a share of the larger absolute value of the two"),
      numeric("node-limit", &Options::nodeLimit, {0, largest}, {{"none", largest}},
              "integers: nodes of the search"),
      numeric("search-threads", &Options::searchThreads, {1, 4096}, {},
              "integers: nodes searched at the same time"),
      choice(
          "cuts", &Options::cuts,
          {{"auto", Cuts::automatic}, {"off", Cuts::off}, {"few", Cuts::few}, {"all", Cuts::all}},
          "integers: cut generators; few: cliques; auto: few for large dense "
          "problems, else all"),
      choice("search", &Options::search,
             {{"auto", SearchChoice::automatic},
              {"own", SearchChoice::own},
              {"cbc", SearchChoice::cbc}},
             "integers: branch and bound with a proved bound (own), or Cbc; auto: "
             "own on dense rows and for a proof, else Cbc, and own to prove its claim"),
      numeric("search-batch", &Options::searchBatch, {1, 1 << 20}, {{"auto", 0}},
              "integers: nodes that the own search solves together; auto: by the processor"),
      numeric("search-memory", &Options::searchMemory, {1.0, 1e9}, {},
              "integers: MB that open nodes of the own search may take"),
  };
  for (std::string_view const name :
       {"engine", "pricing", "time-limit", "iteration-limit", "primal-tolerance", "dual-tolerance",
        "infinity", "seed", "threads", "device", "devices", "device-loss"})
    std::ranges::find(table, name, &OptionRecord::name)->ofBatches = true;
  return table;
}

std::string unknownOption(std::string_view name) {
  std::vector<std::string> names;
  for (OptionRecord const& record : optionTable()) names.push_back(record.name);
  return "there is no option '" + std::string(name) + "'" + suggestion(name, names);
}

}  // namespace

std::vector<OptionRecord> const& optionTable() {
  static std::vector<OptionRecord> const table = makeTable();
  return table;
}

OptionRecord const* findOption(std::string_view name) {
  auto const found = std::ranges::find(optionTable(), name, &OptionRecord::name);
  return found == optionTable().end() ? nullptr : &*found;
}

std::vector<int> numbersIn(std::string_view text) {
  std::vector<int> numbers;
  char const* const end = text.data() + text.size();
  for (char const* next = text.data();;) {
    int number = -1;
    auto const [stop, fault] = std::from_chars(next, end, number);
    if (fault != std::errc() || number < 0) return {};
    numbers.push_back(number);
    if (stop == end) return numbers;
    if (*stop != ',') return {};
    next = stop + 1;
  }
}

int firstDevice(Options const& options) {
  std::vector<int> const numbers = numbersIn(options.devices);
  if (options.devices == "all") return 0;
  return numbers.empty() ? options.device : numbers.front();
}

std::string setOption(Options& options, std::string_view name, std::string_view text) {
  OptionRecord const* const record = findOption(name);
  if (!record) return unknownOption(name);
  std::string const fault = record->set(options, text);
  return fault.empty() ? fault : "option " + record->name + ": " + fault;
}

std::string findFault(Options const& options) {
  for (OptionRecord const& record : optionTable())
    if (!record.holds(options))
      return "option " + record.name + ": " + mismatch(record.values, record.get(options));
  return {};
}

}  // namespace osi_cuda
