"""The workbenches: how each protocol's commands read the target. What a run is, and how it is driven, they do not know."""
