/* SPDX-FileCopyrightText: The gpuenv authors
 * SPDX-License-Identifier: Apache-2.0
 * A driver library that answers the three calls of the availability probe as its compile definitions say:
 *   FAKE_INIT      what cuInit returns (CUresult)
 *   FAKE_VERSION   what cuDriverGetVersion tells; -1: it fails as FAKE_INIT
 *   FAKE_COUNT     what cuDeviceGetCount tells
 *   FAKE_COUNT_RESULT  what cuDeviceGetCount returns
 *   FAKE_NO_DRIVER     none of them is there: a library that is no driver */

#ifndef FAKE_INIT
#define FAKE_INIT 0
#endif
#ifndef FAKE_VERSION
#define FAKE_VERSION 13000
#endif
#ifndef FAKE_COUNT
#define FAKE_COUNT 2
#endif
#ifndef FAKE_COUNT_RESULT
#define FAKE_COUNT_RESULT 0
#endif

#ifdef FAKE_NO_DRIVER

int fake_libcuda_is_no_driver(void);
int fake_libcuda_is_no_driver(void) { return 1; }

#else

enum { invalid_value = 1, not_initialized = 3 };
static int started;

int cuInit(unsigned flags);
int cuDriverGetVersion(int* version);
int cuDeviceGetCount(int* count);

int cuInit(unsigned flags) {
  if (flags != 0) return invalid_value;
  started = FAKE_INIT == 0;
  return FAKE_INIT;
}

int cuDriverGetVersion(int* version) {
  if (version == 0) return invalid_value;
  if (FAKE_VERSION < 0) return FAKE_INIT;
  *version = FAKE_VERSION;
  return 0;
}

int cuDeviceGetCount(int* count) {
  if (count == 0) return invalid_value;
  if (!started) return not_initialized;
  *count = FAKE_COUNT;
  return FAKE_COUNT_RESULT;
}

#endif
