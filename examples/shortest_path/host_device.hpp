// SPDX-License-Identifier: EPL-2.0
#pragma once

#include "examples/common/host_device.hpp"

#define SHORTEST_PATH_HD EXAMPLES_HOST_DEVICE
