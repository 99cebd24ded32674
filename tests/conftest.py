"""Hypothesis profiles, every field set: `ci` (default, deterministic), `dev`, `deep`.

Choose one with the environment variable HYPOTHESIS_PROFILE.
"""

from __future__ import annotations

import os

from hypothesis import HealthCheck, Phase, Verbosity, settings

_COMMON = {
    "database": None,
    "deadline": None,
    "phases": tuple(Phase),
    "print_blob": True,
    "report_multiple_bugs": True,
    "stateful_step_count": 50,
    "suppress_health_check": (HealthCheck.too_slow,),
    "verbosity": Verbosity.normal,
}
settings.register_profile("ci", max_examples=40, derandomize=True, **_COMMON)
settings.register_profile("dev", max_examples=100, derandomize=False, **_COMMON)
settings.register_profile("deep", max_examples=2000, derandomize=False, **_COMMON)
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "ci"))
