"""Agents that a language model drives: the channel to models, and the loop that asks through it.

Nothing here imports a provider's library until a channel is opened, so that the command line starts without them.
"""
