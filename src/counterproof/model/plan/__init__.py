"""The domain types of plan verification, exactly in the protocol's own schemas (P4): no field is added or left out."""
