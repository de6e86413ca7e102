"""The keys of the window: which there are, what they do, and how they are changed."""
