// SPDX-License-Identifier: EPL-2.0
#include "examples/traffic_matrix/sndlib.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <numbers>

#include "examples/common/failure.hpp"
#include "readers/line_source.hpp"
#include "readers/number.hpp"
#include "readers/output.hpp"
#include "readers/read_error.hpp"

namespace osi_cuda::examples::traffic {
namespace {

using readers::ReadError;
using readers::shortest;

/// A word or a parenthesis, and where it stands.
struct Token {
  std::string text;  ///< empty: the end of the file
  std::int64_t line = 0, column = 0;
};

class Tokens {
 public:
  explicit Tokens(std::string const& path)
      : lines_(readers::decompress(readers::openFile(path), 0), path, {}) {
    read();
  }

  Token const& peek() const { return token_; }
  Token take() {
    Token taken = token_;
    read();
    return taken;
  }
  Token expect(std::string const& text) {
    if (token_.text != text) fail(token_, "'" + text + "'");
    return take();
  }
  Token word(std::string const& what) {
    if (token_.text.empty() || token_.text == "(" || token_.text == ")") fail(token_, what);
    return take();
  }
  double number(std::string const& what) {
    Token const token = word(what);
    readers::Number const number = readers::parseNumber(token.text);
    if (number.fault != readers::NumberFault::none) fail(token, what);
    return number.value;
  }
  double atLeastZero(std::string const& what) {
    Token const token = token_;
    double const value = number(what);
    if (value < 0.0) fail(token, what + ", at least 0");
    return value;
  }
  [[noreturn]] void fail(Token const& at, std::string const& expected) const {
    throw ReadError(lines_.name(), at.line, at.column, expected,
                    at.text.empty() ? "the end of the file" : readers::quoted(at.text));
  }

 private:
  void read() {
    for (;;) {
      place_ = rest_.find_first_not_of(" \t", place_);
      if (place_ != std::string_view::npos && rest_[place_] != '#') break;
      if (!lines_.next()) {
        token_ = {"", lines_.lineNumber() + 1, 1};
        return;
      }
      rest_ = lines_.line();
      place_ = rest_.starts_with('?') ? rest_.size() : 0;  // ?SNDlib native format; ...
    }
    bool const isParenthesis = rest_[place_] == '(' || rest_[place_] == ')';
    std::size_t const end =
        isParenthesis ? place_ + 1 : std::min(rest_.find_first_of(" \t()#", place_), rest_.size());
    token_ = {std::string(rest_.substr(place_, end - place_)), lines_.lineNumber(),
              static_cast<std::int64_t>(place_) + 1};
    place_ = end;
  }

  readers::LineSource lines_;
  std::string_view rest_;  // the current line
  std::size_t place_ = 0;
  Token token_;
};

/// Kilometres along the earth if the coordinates can be degrees, else plainly.
double distance(Node const& a, Node const& b) {
  bool const degrees = std::max(std::abs(a.x), std::abs(b.x)) <= 180.0 &&
                       std::max(std::abs(a.y), std::abs(b.y)) <= 90.0;
  if (!degrees) return std::hypot(a.x - b.x, a.y - b.y);
  constexpr double earthRadius = 6371.0;
  constexpr double degree = std::numbers::pi / 180.0;
  double const dx = std::sin((a.x - b.x) * degree / 2), dy = std::sin((a.y - b.y) * degree / 2);
  double const h = dy * dy + std::cos(a.y * degree) * std::cos(b.y * degree) * dx * dx;
  return 2 * earthRadius * std::asin(std::min(1.0, std::sqrt(h)));
}

class Reader {
 public:
  Reader(std::string const& path, NetworkOptions const& options)
      : tokens_(path), options_(options) {
    file_.network.name = path;
  }

  NetworkFile read() {
    while (!tokens_.peek().text.empty()) {
      Token const section = tokens_.word("the name of a section");
      tokens_.expect("(");
      if (section.text == "NODES") {
        list([&] { readNode(); });
      } else if (section.text == "LINKS") {
        list([&] { readLink(); });
      } else if (section.text == "DEMANDS") {
        list([&] { readDemand(); });
      } else {
        passOver();
      }
    }
    if (file_.network.nodes.size() < 2)
      tokens_.fail(tokens_.peek(), "a section NODES of two nodes");
    if (file_.network.links.empty()) tokens_.fail(tokens_.peek(), "a section LINKS");
    setWeights();
    file_.demands.resize(Pairs(file_.network.nodeCount()).count());
    for (Demand const& demand : demands_)
      file_.demands[Pairs(file_.network.nodeCount())(demand.source, demand.target)] += demand.value;
    return std::move(file_);
  }

 private:
  struct Ends {
    int source = 0, target = 0;
  };
  struct Demand {
    int source = 0, target = 0;
    double value = 0.0;
  };

  template <class ReadEntry>
  void list(ReadEntry readEntry) {
    while (tokens_.peek().text != ")") readEntry();
    tokens_.take();
  }

  void passOver() {
    for (int depth = 1; depth > 0;) {
      Token const token = tokens_.take();
      if (token.text.empty()) tokens_.fail(token, "')'");
      depth += token.text == "(" ? 1 : token.text == ")" ? -1 : 0;
    }
  }

  // NAME ( X Y )
  void readNode() {
    Token const name = tokens_.word("the name of a node");
    if (!numbers_.emplace(name.text, file_.network.nodeCount()).second)
      tokens_.fail(name, "a name that no other node has");
    Node node{name.text};
    if (tokens_.peek().text == "(") {
      tokens_.take();
      node.x = tokens_.number("a coordinate");
      node.y = tokens_.number("a coordinate");
      tokens_.expect(")");
    }
    file_.network.nodes.push_back(node);
  }

  int node() {
    Token const name = tokens_.word("the name of a node");
    auto const found = numbers_.find(name.text);
    if (found == numbers_.end()) tokens_.fail(name, "the name of a node of this network");
    return found->second;
  }

  // ( SOURCE TARGET )
  Ends ends() {
    tokens_.expect("(");
    Ends result;
    result.source = node();
    Token const second = tokens_.peek();
    result.target = node();
    if (result.source == result.target) tokens_.fail(second, "another node than the source");
    tokens_.expect(")");
    return result;
  }

  // NAME ( SOURCE TARGET ) CAPACITY COST ROUTING-COST SETUP-COST ( { CAPACITY COST } )
  void readLink() {
    Link link;
    link.name = tokens_.word("the name of a link").text;
    Ends const between = ends();
    link.source = between.source;
    link.target = between.target;
    link.capacity = tokens_.atLeastZero("the pre-installed capacity");
    tokens_.atLeastZero("its cost");
    link.weight = tokens_.atLeastZero("the routing cost");
    tokens_.atLeastZero("the setup cost");
    tokens_.expect("(");
    bool const preInstalled = link.capacity > 0.0;
    list([&] {
      double const module = tokens_.atLeastZero("a module's capacity");
      if (!preInstalled) link.capacity = std::max(link.capacity, module);
      tokens_.atLeastZero("the module's cost");
    });
    file_.network.links.push_back(link);
    if (options_.directions == NetworkOptions::Directions::asWritten) return;
    std::swap(link.source, link.target);
    file_.network.links.push_back(link);
  }

  // NAME ( SOURCE TARGET ) ROUTING-UNIT VALUE MAX-PATH-LENGTH
  void readDemand() {
    tokens_.word("the name of a demand");
    Ends const between = ends();
    double const unit = tokens_.atLeastZero("the routing unit");
    double const value = tokens_.atLeastZero("the demand's value");
    tokens_.word("the longest path or UNLIMITED");
    demands_.push_back({between.source, between.target, unit * value});
  }

  void setWeights() {
    using Weights = NetworkOptions::Weights;
    auto& links = file_.network.links;
    bool const noCosts =
        std::ranges::all_of(links, [](Link const& link) { return link.weight == 0.0; });
    for (int i = 0; i < file_.network.linkCount(); ++i) {
      Link& link = links[i];
      auto const& nodes = file_.network.nodes;
      if (options_.weights == Weights::hops ||
          (options_.weights == Weights::routingCost && noCosts))
        link.weight = 1.0;
      else if (options_.weights == Weights::distance)
        link.weight = std::max(1.0, distance(nodes[link.source], nodes[link.target]));
      else if (options_.weights == Weights::inverseCapacity)
        link.weight = 1.0 / link.capacity;
      if (link.weight > 0.0 && std::isfinite(link.weight)) continue;
      throw Failure(ExitStatus::badInput,
                    file_.network.name + ": link " + file_.network.describe(i) +
                        (options_.weights == Weights::inverseCapacity
                             ? " has no capacity, so that its inverse can't be its weight"
                             : " has routing cost 0, which can't be a weight"));
    }
  }

  Tokens tokens_;
  NetworkOptions options_;
  NetworkFile file_;
  std::map<std::string, int> numbers_;  // of the nodes
  std::vector<Demand> demands_;
};

}  // namespace

NetworkFile readNetwork(std::string const& path, NetworkOptions const& options) {
  return Reader(path, options).read();
}

std::string sndlibText(Network const& network, std::vector<double> const& demands) {
  std::string text =
      "?SNDlib native format; type: network; version: 1.0\n# " + network.name + "\n\nNODES (\n";
  for (Node const& node : network.nodes)
    text += "  " + node.name + " ( " + shortest(node.x) + ' ' + shortest(node.y) + " )\n";
  text +=
      ")\n\n# each line carries both directions; the routing cost is the weight of the line\n"
      "LINKS (\n";
  for (std::size_t i = 0; i < network.links.size(); i += 2) {
    Link const& link = network.links[i];
    text += "  " + link.name + " ( " + network.nodes[link.source].name + ' ' +
            network.nodes[link.target].name + " ) " + shortest(link.capacity) + " 0 " +
            shortest(link.weight) + " 0 ( )\n";
  }
  text += ")\n";
  if (demands.empty()) return text;
  text += "\nDEMANDS (\n";
  Pairs const pairs(network.nodeCount());
  for (int j = 0; j < pairs.count(); ++j) {
    std::string const& source = network.nodes[pairs.source(j)].name;
    std::string const& target = network.nodes[pairs.target(j)].name;
    text += "  " + source + '_' + target + " ( " + source + ' ' + target + " ) 1 " +
            shortest(demands[j]) + " UNLIMITED\n";
  }
  return text + ")\n";
}

}  // namespace osi_cuda::examples::traffic
