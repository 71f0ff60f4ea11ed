# SPDX-FileCopyrightText: The gpuenv authors
# SPDX-License-Identifier: Apache-2.0
"""NumPy's files into gpuenv and gpuenv's back, and the product against NumPy's.  matmul_numpy.py GPUENV FOLDER"""
import json
import subprocess
import sys

import numpy as np

gpuenv, folder = sys.argv[1:]
random = np.random.default_rng(0)
shapes = [(3, 5, 4), (1, 9, 7), (9, 1, 7), (7, 3, 1), (129, 65, 257), (0, 4, 3), (4, 3, 0)]

for dtype in ("<f4", "<f8"):
    for order_a, order_b in ("CC", "CF", "FC", "FF"):
        for version in ((1, 0), (2, 0), (3, 0)):
            for m, n, k in shapes:
                a = np.array(random.standard_normal((m, k)), dtype=dtype, order=order_a)
                b = np.array(random.standard_normal((k, n)), dtype=dtype, order=order_b)
                for name, matrix in (("np_a", a), ("np_b", b)):
                    with open(f"{folder}/{name}.npy", "wb") as file:
                        np.lib.format.write_array(file, matrix, version=version)
                run = subprocess.run(
                    [gpuenv, "matmul", "--input", f"{folder}/np_a.npy", f"{folder}/np_b.npy", "--output",
                     f"{folder}/np_c.npy", "--device", "cpu", "--repeat", "1", "--json"],
                    stdout=subprocess.PIPE, check=True)
                report = json.loads(run.stdout)
                assert (report["m"], report["n"], report["k"]) == (m, n, k), report
                assert report["precision"] == ("fp32" if dtype == "<f4" else "fp64"), report
                assert report["verification"]["passed"] is True, report
                c = np.load(f"{folder}/np_c.npy", allow_pickle=False)
                assert c.dtype == np.dtype(dtype) and c.shape == (m, n), (c.dtype, c.shape)
                # Two sums in any order differ by at most twice gamma_k |A||B| (Higham 2002, section 3.5).
                bound = 2.02 * (k + 1) * np.finfo(dtype).eps / 2 * (np.abs(a).astype("f8") @ np.abs(b).astype("f8"))
                assert np.all(np.abs(c.astype("f8") - np.matmul(a, b)) <= bound), (dtype, m, n, k)
