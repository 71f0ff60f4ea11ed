// SPDX-FileCopyrightText: The gpuenv authors
// SPDX-License-Identifier: Apache-2.0
// GPUENV_EXPORT marks what the shared libraries make visible; everything else is hidden.
#pragma once

#define GPUENV_EXPORT [[gnu::visibility("default")]]
