"""Drives a protocol: executes its commands, journals its events, survives being killed."""
