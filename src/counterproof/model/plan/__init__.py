"""The nouns of plan verification, in the protocol's own schemas (P4). No field is added to them and none is left out."""
