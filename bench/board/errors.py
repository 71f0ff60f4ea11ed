# SPDX-FileCopyrightText: The gpuenv authors
# SPDX-License-Identifier: Apache-2.0
"""What is wrong, and with which exit status the scoreboard ends for it."""


class InputError(Exception):
    """What the caller gave (arguments, targets, README) cannot be used: exit status 2."""


class RecordError(Exception):
    """A raw result is missing or unfit: exit status 1."""
