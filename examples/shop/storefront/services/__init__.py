"""What the shop does, apart from answering requests and keeping records."""
