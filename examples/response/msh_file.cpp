// SPDX-License-Identifier: EPL-2.0
// Gmsh's MSH format, text, versions 2.2 and 4.1: sections "$Name ... $EndName"; of these
// $MeshFormat, $Nodes, $Elements and the conductivities in $NodeData count, the others are passed
// over.
#include <algorithm>
#include <limits>
#include <map>

#include "examples/response/mesh.hpp"
#include "readers/line_source.hpp"
#include "readers/number.hpp"
#include "readers/output.hpp"

namespace osi_cuda::response {
namespace {

constexpr char conductivityName[] = "\"conductivity\"";
constexpr int triangleType = 2;

class MshReader {
 public:
  explicit MshReader(std::string const& path)
      : lines_(readers::decompress(readers::openFile(path), 0), path, {}) {}

  Mesh read() {
    line("$MeshFormat");
    if (word() != "$MeshFormat") fail("$MeshFormat");
    line("the version");
    std::string const version = word();
    if (version != "2.2" && version != "4.1") fail("version 2.2 or 4.1");
    isNew_ = version == "4.1";
    if (integer("the file type", 0, 1) != 0) fail("a text file (file type 0)");
    while (lines_.next()) {
      begin();
      std::string const section = word();
      if (section == "$Nodes")
        isNew_ ? newNodes() : oldNodes();
      else if (section == "$Elements")
        isNew_ ? newElements() : oldElements();
      else if (section == "$NodeData")
        nodeData();
    }
    if (triangles_.empty()) lines_.failAtEnd("triangles (elements of type 2)");
    return assemble();
  }

 private:
  void begin() {
    rest_ = lines_.line();
    word_ = {};
  }
  void line(std::string const& expected) {
    if (!lines_.next()) lines_.failAtEnd(expected);
    begin();
  }
  std::string word() {
    std::size_t const from = std::min(rest_.find_first_not_of(" \t"), rest_.size());
    rest_.remove_prefix(from);
    word_ = rest_.substr(0, std::min(rest_.find_first_of(" \t"), rest_.size()));
    rest_.remove_prefix(word_.size());
    return std::string(word_);
  }
  [[noreturn]] void fail(std::string const& expected) const { lines_.fail(word_, expected); }

  long long integer(std::string const& what, long long low,
                    long long high = std::numeric_limits<long long>::max()) {
    auto const value = readers::wholeNumber<long long>(word());
    if (!value || *value < low || *value > high) fail(what);
    return *value;
  }
  double number(std::string const& what) {
    readers::Number const number = readers::parseNumber(word());
    if (number.fault != readers::NumberFault::none) fail(what);
    return number.value;
  }
  void addNode(long long tag) {
    double const x = number("x"), y = number("y");
    if (!nodes_.emplace(tag, Node{{x, y}, 1.0}).second) fail("a node number that is new");
  }
  void addTriangle() {
    std::array<long long, 3> corners{};
    for (long long& corner : corners) {
      corner = integer("a node number", 1);
      if (!nodes_.count(corner)) fail("the number of a node of the file");
    }
    triangles_.push_back(corners);
  }

  void oldNodes() {
    line("the number of nodes");
    for (long long left = integer("the number of nodes", 1); left > 0; --left) {
      line("a node");
      addNode(integer("a node number", 1));
    }
  }
  void newNodes() {
    line("the number of blocks");
    for (long long blocks = integer("the number of blocks", 1); blocks > 0; --blocks) {
      line("a block of nodes");
      for (int k = 0; k < 3; ++k) integer("dimension, number and parameters of an entity", 0);
      std::vector<long long> tags(std::size_t(integer("the number of nodes", 0, 1'000'000'000)));
      for (long long& tag : tags) {
        line("a node number");
        tag = integer("a node number", 1);
      }
      for (long long const tag : tags) {
        line("a node's place");
        addNode(tag);
      }
    }
  }
  void oldElements() {
    line("the number of elements");
    for (long long left = integer("the number of elements", 1); left > 0; --left) {
      line("an element");
      integer("the number of the element", 1);
      if (integer("the type of the element", 1) != triangleType) continue;
      for (long long tags = integer("the number of tags", 0, 100); tags > 0; --tags)
        integer("a tag", std::numeric_limits<long long>::min());
      addTriangle();
    }
  }
  void newElements() {
    line("the number of blocks");
    for (long long blocks = integer("the number of blocks", 1); blocks > 0; --blocks) {
      line("a block of elements");
      integer("the dimension of an entity", 0, 3);
      integer("the number of an entity", 0);
      long long const type = integer("the type of the elements", 1);
      for (long long left = integer("the number of elements", 0); left > 0; --left) {
        line("an element");
        integer("the number of the element", 1);
        if (type == triangleType) addTriangle();
      }
    }
  }
  /// Text tags, numbers, whole numbers, then a line a node; only conductivities are ours.
  void nodeData() {
    line("the number of texts");
    std::string name;
    for (long long left = integer("the number of texts", 0, 100); left > 0; --left) {
      line("a text");
      name = word();
    }
    if (name != conductivityName) return;
    line("the number of reals");
    for (long long left = integer("the number of reals", 0, 100); left > 0; --left) line("a real");
    line("the number of integers");
    // Time step, components, nodes, and perhaps a partition.
    long long nodes = 0;
    long long const count = integer("at least 3 integers", 3, 100);
    for (long long k = 0; k < count; ++k) {
      line("an integer");
      long long const tag = integer("an integer", 0);
      if (k == 2) nodes = tag;
    }
    for (; nodes > 0; --nodes) {
      line("a conductivity");
      auto const node = nodes_.find(integer("a node number", 1));
      if (node == nodes_.end()) fail("the number of a node of the file");
      node->second.conductivity = number("a conductivity");
      if (!(node->second.conductivity > 0.0)) fail("a conductivity above 0");
    }
  }

  Mesh assemble() const {
    Mesh mesh;
    std::map<long long, int> numbers;
    for (auto const& corners : triangles_) {
      std::array<int, 3> triangle{};
      for (int k = 0; k < 3; ++k) {
        auto const [place, isNew] = numbers.emplace(corners[k], int(mesh.points.size()));
        if (isNew) {
          mesh.points.push_back(nodes_.at(corners[k]).place);
          mesh.conductivity.push_back(nodes_.at(corners[k]).conductivity);
        }
        triangle[k] = place->second;
      }
      mesh.triangles.push_back(triangle);
      double const area = doubleArea(mesh, triangle);
      if (area < 0.0) std::swap(mesh.triangles.back()[1], mesh.triangles.back()[2]);
      if (area == 0.0)
        lines_.failAt(lines_.lineNumber(), 1, "triangles with an area",
                      "a triangle without, of the nodes " + std::to_string(corners[0]) + ", " +
                          std::to_string(corners[1]) + " and " + std::to_string(corners[2]));
    }
    return mesh;
  }

  struct Node {
    Point place;
    double conductivity;
  };
  readers::LineSource lines_;
  std::string_view rest_, word_;
  bool isNew_ = false;
  std::map<long long, Node> nodes_;
  std::vector<std::array<long long, 3>> triangles_;
};

}  // namespace

Mesh readMsh(std::string const& path) {
  return MshReader(path).read();
}

std::string mshText(Mesh const& mesh) {
  using readers::shortest;
  std::string text = "$MeshFormat\n2.2 0 8\n$EndMeshFormat\n$Nodes\n";
  text += std::to_string(mesh.points.size()) + '\n';
  for (std::size_t k = 0; k < mesh.points.size(); ++k)
    text += std::to_string(k + 1) + ' ' + shortest(mesh.points[k].x) + ' ' +
            shortest(mesh.points[k].y) + " 0\n";
  text += "$EndNodes\n$Elements\n" + std::to_string(mesh.triangles.size()) + '\n';
  for (std::size_t k = 0; k < mesh.triangles.size(); ++k) {
    text += std::to_string(k + 1) + " 2 2 1 1";
    for (int const corner : mesh.triangles[k]) text += ' ' + std::to_string(corner + 1);
    text += '\n';
  }
  text += "$EndElements\n$NodeData\n1\n";
  text += std::string(conductivityName) + "\n1\n0\n3\n0\n1\n" + std::to_string(mesh.points.size()) +
          '\n';
  for (std::size_t k = 0; k < mesh.points.size(); ++k)
    text += std::to_string(k + 1) + ' ' + shortest(mesh.conductivity[k]) + '\n';
  return text + "$EndNodeData\n";
}

}  // namespace osi_cuda::response
