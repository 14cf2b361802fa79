"""The rules of the games: values in, values out; no camera, clock, thread, file or screen is known here."""
