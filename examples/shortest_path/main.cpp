// SPDX-License-Identifier: EPL-2.0
int main() {
  return 0;
}
