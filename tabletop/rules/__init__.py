"""The rules of the games: values in, values out, without any camera, clock, thread, file or screen."""
