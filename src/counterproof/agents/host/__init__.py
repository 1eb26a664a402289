"""A coding agent as one more agent: it takes tasks at a desk, uses the toolbox through it, and submits its results there."""
