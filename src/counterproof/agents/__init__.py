"""The agents: embedded analysts, models, recorded runs. All implement the same small interface."""
