"""Model-driven agents: the channel to models, and the conversation loop.

No provider library is imported until a channel is opened, so that the command line starts without them.
"""
