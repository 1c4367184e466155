// SPDX-License-Identifier: EPL-2.0
#include "osi_cuda/model/options.hpp"

#include <boost/test/unit_test.hpp>
#include <cmath>
#include <limits>
#include <set>
#include <string>

namespace osi_cuda {
namespace {

constexpr double infinite = std::numeric_limits<double>::infinity();

BOOST_AUTO_TEST_SUITE(option_table)

BOOST_AUTO_TEST_CASE(namesAreKebabCaseAndUnique) {
  std::set<std::string> seen;
  for (OptionRecord const& record : optionTable()) {
    BOOST_TEST(record.name.find_first_not_of("abcdefghijklmnopqrstuvwxyz-") == std::string::npos,
               record.name);
    BOOST_TEST(seen.insert(record.name).second, record.name << " occurs twice");
    BOOST_TEST(!record.values.empty(), record.name);
    BOOST_TEST(!record.help.empty(), record.name);
    BOOST_TEST(record.help.find('\n') == std::string::npos, record.name);
  }
  BOOST_TEST(seen.size() == 33u);
}

// Words, help and values of the rules of pricing come from their records.
BOOST_AUTO_TEST_CASE(pricingFollowsItsRecords) {
  OptionRecord const* const record = findOption("pricing");
  BOOST_REQUIRE(record);
  BOOST_TEST(record->choices.size() == std::size(pricingTable));
  for (PricingRule const& rule : pricingTable) {
    Options options;
    BOOST_TEST(setOption(options, "pricing", rule.name) == "");
    BOOST_TEST((options.pricing == rule.rule));
    BOOST_TEST(record->get(options) == rule.name);
    BOOST_TEST(
        record->help.find(std::string(rule.name) + ": " + rule.description) != std::string::npos,
        record->help);
  }
}

// A default in the table that is not the default of the struct would be a second list of defaults.
BOOST_AUTO_TEST_CASE(defaultTextsGiveTheDefaults) {
  Options options;
  options.engine = EngineChoice::cuda;
  options.algorithm = AlgorithmChoice::dual;
  options.pricing = Pricing::dantzig;
  options.timeLimit = 1.0;
  options.iterationLimit = 1;
  options.objectiveLimit = 1.0;
  options.primalTolerance = options.dualTolerance = 1e-5;
  options.seed = 99;
  options.threads = options.device = options.blockSize = options.sketchSize = 3;
  options.scaling = false;
  options.perturbation = options.presolve = Toggle::on;
  for (OptionRecord const& record : optionTable()) {
    BOOST_TEST(record.set(options, record.defaultText) == "", record.name);
  }
  BOOST_TEST((options == Options{}));
}

BOOST_AUTO_TEST_CASE(everyChoiceIsReadBack) {
  for (OptionRecord const& record : optionTable()) {
    for (std::string const& word : record.choices) {
      Options options;
      BOOST_TEST(record.set(options, word) == "", record.name);
      BOOST_TEST(record.get(options) == word, record.name);
    }
  }
}

BOOST_AUTO_TEST_CASE(boundsOfRangesAreInclusive) {
  for (OptionRecord const& record : optionTable()) {
    if (record.kind != OptionKind::number) continue;
    Options options;
    for (double const value : {record.minimum, record.maximum}) {
      if (!std::isfinite(value)) continue;
      BOOST_TEST(record.set(options, std::to_string(value * 1e10) + "e-10") == "", record.name);
      BOOST_TEST(std::stod(record.get(options)) == value, record.name);
    }
    if (std::isfinite(record.maximum)) {
      BOOST_TEST(record.set(options, std::to_string(2 * record.maximum)) != "", record.name);
    }
  }
}

BOOST_AUTO_TEST_SUITE_END()

BOOST_AUTO_TEST_SUITE(set_option)

BOOST_AUTO_TEST_CASE(setsTheMember) {
  Options options;
  BOOST_TEST(setOption(options, "engine", "host") == "");
  BOOST_TEST((options.engine == EngineChoice::host));
  BOOST_TEST(setOption(options, "algorithm", "primal") == "");
  BOOST_TEST((options.algorithm == AlgorithmChoice::primal));
  BOOST_TEST(setOption(options, "pricing", "sketched") == "");
  BOOST_TEST((options.pricing == Pricing::sketched));
  BOOST_TEST(setOption(options, "time-limit", "2.5") == "");
  BOOST_TEST(options.timeLimit == 2.5);
  BOOST_TEST(setOption(options, "time-limit", "none") == "");
  BOOST_TEST(options.timeLimit == infinite);
  BOOST_TEST(setOption(options, "iteration-limit", "12") == "");
  BOOST_TEST(options.iterationLimit == 12);
  BOOST_TEST(setOption(options, "objective-limit", "-1e3") == "");
  BOOST_TEST(options.objectiveLimit == -1000.0);
  BOOST_TEST(setOption(options, "seed", "18446744073709551615") == "");
  BOOST_TEST(options.seed == std::numeric_limits<std::uint64_t>::max());
  BOOST_TEST(setOption(options, "threads", "0") == "");  // the value that `auto` stands for
  BOOST_TEST(options.threads == 0);
  BOOST_TEST(setOption(options, "scaling", "off") == "");
  BOOST_TEST(!options.scaling);
  BOOST_TEST(setOption(options, "perturbation", "on") == "");
  BOOST_TEST((options.perturbation == Toggle::on));
  BOOST_TEST(setOption(options, "exact", "on") == "");
  BOOST_TEST((options.exact == Toggle::on));
}

struct Wrong {
  char const* name;
  char const* text;
  char const* sentence;
};

BOOST_AUTO_TEST_CASE(saysWhatIsWrongAndChangesNothing) {
  Wrong const cases[] = {
      {"engine", "gpu", "option engine: expected auto, cuda or host, found 'gpu'"},
      {"engine", "", "option engine: expected auto, cuda or host, found ''"},
      {"time-limit", "-1", "option time-limit: expected none or a number >= 0, found '-1'"},
      {"time-limit", "1s", "option time-limit: expected none or a number >= 0, found '1s'"},
      {"time-limit", "nan", "option time-limit: expected none or a number >= 0, found 'nan'"},
      {"objective-limit", "x", "option objective-limit: expected none or a number, found 'x'"},
      {"iteration-limit", "1.5",
       "option iteration-limit: expected none or an integer >= 0, found '1.5'"},
      {"iteration-limit", "9223372036854775808",
       "option iteration-limit: expected none or an integer >= 0, found '9223372036854775808'"},
      {"primal-tolerance", "0",
       "option primal-tolerance: expected a number from 1e-12 to 0.1, found '0'"},
      {"threads", "-2", "option threads: expected auto or an integer from 1 to 4096, found '-2'"},
      {"seed", "-1", "option seed: expected an integer >= 0, found '-1'"},
      {"scaling", "yes", "option scaling: expected on or off, found 'yes'"},
      {"time-limits", "1", "there is no option 'time-limits'; did you mean 'time-limit'?"},
      {"colour", "red", "there is no option 'colour'"},
  };
  for (Wrong const& wrong : cases) {
    Options options;
    BOOST_TEST(setOption(options, wrong.name, wrong.text) == wrong.sentence);
    BOOST_TEST((options == Options{}), wrong.name);
  }
}

BOOST_AUTO_TEST_CASE(numbersSurviveTheirText) {
  OptionRecord const* const record = findOption("dual-tolerance");
  BOOST_REQUIRE(record != nullptr);
  for (double const value : {1e-9, 3.0e-7, 1.0 / 3e5, 0.0099999999999999999}) {
    Options options;
    options.dualTolerance = value;
    Options copy;
    BOOST_TEST(record->set(copy, record->get(options)) == "");
    BOOST_TEST(copy.dualTolerance == value);
  }
  BOOST_TEST(findOption("tolerance") == nullptr);
}

BOOST_AUTO_TEST_CASE(optionsThatWereNotSetByTextAreChecked) {
  BOOST_TEST(findFault(Options{}) == "");
  Options options;
  options.timeLimit = -1.0;
  BOOST_TEST(findFault(options) == "option time-limit: expected none or a number >= 0, found '-1'");
  options = {};
  options.primalTolerance = std::numeric_limits<double>::quiet_NaN();
  BOOST_TEST(findFault(options) ==
             "option primal-tolerance: expected a number from 1e-12 to 0.1, found 'nan'");
  options = {};
  options.engine = static_cast<EngineChoice>(9);
  BOOST_TEST(findFault(options) == "option engine: expected auto, cuda or host, found ''");
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace
}  // namespace osi_cuda
