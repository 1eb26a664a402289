"""The pages and endpoints, one blueprint per module."""
