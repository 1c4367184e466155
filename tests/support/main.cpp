// SPDX-License-Identifier: EPL-2.0
// The main() of every test program: a *_test.cpp includes <boost/test/unit_test.hpp> and no more.
#define BOOST_TEST_MODULE osi_cuda
#include <boost/test/unit_test.hpp>
