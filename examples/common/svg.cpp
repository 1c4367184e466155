// SPDX-License-Identifier: EPL-2.0
#include "examples/common/svg.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "osi_cuda/base/concat.hpp"
#include "shell/svg.hpp"

namespace osi_cuda::examples {
namespace {

using shell::coordinate;
using shell::escaped;

std::string attribute(char const* name, double value) {
  return concat(" ", name, "=\"", coordinate(value), '"');
}
std::string attribute(char const* name, std::string const& value) {
  return concat(" ", name, "=\"", escaped(value), '"');
}

}  // namespace

Svg::Svg(double width, double height, std::string const& description)
    : width_(width), height_(height), description_(description) {
  rectangle(0, 0, width, height, "white");
}

void Svg::rectangle(double x, double y, double width, double height, std::string const& fill) {
  body_ += "<rect" + attribute("x", x) + attribute("y", y) + attribute("width", width) +
           attribute("height", height) + attribute("fill", fill) + "/>\n";
}

void Svg::line(double x1, double y1, double x2, double y2, std::string const& stroke,
               double strokeWidth) {
  body_ += "<line" + attribute("x1", x1) + attribute("y1", y1) + attribute("x2", x2) +
           attribute("y2", y2) + attribute("stroke", stroke) +
           attribute("stroke-width", strokeWidth) + "/>\n";
}

void Svg::circle(double x, double y, double radius, std::string const& fill,
                 std::string const& title) {
  body_ += "<circle" + attribute("cx", x) + attribute("cy", y) + attribute("r", radius) +
           attribute("fill", fill);
  body_ += title.empty() ? "/>\n" : "><title>" + escaped(title) + "</title></circle>\n";
}

void Svg::path(std::string const& path, std::string const& stroke, double strokeWidth,
               std::string const& dashes) {
  body_ += "<path" + attribute("d", path) + attribute("fill", std::string("none")) +
           attribute("stroke", stroke) + attribute("stroke-width", strokeWidth) +
           " stroke-linejoin=\"round\" stroke-linecap=\"round\"";
  if (!dashes.empty()) body_ += attribute("stroke-dasharray", dashes);
  body_ += "/>\n";
}

void Svg::text(double x, double y, std::string const& words, std::string const& anchor, double size,
               std::string const& fill) {
  body_ += "<text" + attribute("x", x) + attribute("y", y) + attribute("text-anchor", anchor) +
           attribute("font-size", size) + attribute("fill", fill) + ">" + escaped(words) +
           "</text>\n";
}

void Svg::verticalText(double x, double y, std::string const& words) {
  body_ += "<text transform=\"translate(" + coordinate(x) + ' ' + coordinate(y) +
           ") rotate(-90)\" text-anchor=\"middle\" font-size=\"13\" fill=\"#1f2933\">" +
           escaped(words) + "</text>\n";
}

std::string Svg::document() const {
  return "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 " + coordinate(width_) + ' ' +
         coordinate(height_) + "\"" + attribute("width", width_) + attribute("height", height_) +
         " font-family=\"sans-serif\" role=\"img\" aria-label=\"" + escaped(description_) +
         "\">\n" + body_ + "</svg>\n";
}

std::string colourAlong(std::span<Rgb const> anchors, double share) {
  double const at = std::clamp(share, 0.0, 1.0) * double(anchors.size() - 1);
  auto const low = std::min(std::size_t(at), anchors.size() - 2);
  std::string text = "#";
  for (std::size_t k = 0; k < 3; ++k) {
    double const step = anchors[low + 1][k] - anchors[low][k];
    text += fmt::format("{:02x}", std::lround(anchors[low][k] + (at - double(low)) * step));
  }
  return text;
}

std::string shade(double share) {
  // Anchors of a path from light yellow over green to dark blue, its lightness falling evenly.
  constexpr std::array<Rgb, 5> anchors{
      {{255, 250, 205}, {176, 221, 171}, {88, 178, 172}, {52, 116, 158}, {42, 49, 110}}};
  return colourAlong(anchors, share);
}

}  // namespace osi_cuda::examples
