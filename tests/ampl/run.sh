#!/bin/sh
# SPDX-License-Identifier: EPL-2.0
# Pyomo's models through `osi-cuda STUB -AMPL`, by the Python that OSI_CUDA_PYTHON names, or python3.
#
#     run.sh OSI_CUDA
exec "${OSI_CUDA_PYTHON:-python3}" "$(dirname "$0")/pyomo_models.py" "$@"
