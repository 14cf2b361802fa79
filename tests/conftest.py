"""Settings for every test."""

from hypothesis import settings

# Examples must not depend on the day: a failure anywhere is a failure everywhere.
settings.register_profile("steady", derandomize=True, deadline=None, max_examples=60)
settings.load_profile("steady")
