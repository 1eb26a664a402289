"""The workbenches execute each protocol's commands on the target. They know nothing about runs or drivers."""
