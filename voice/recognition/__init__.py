"""Audio to text: the weights, the recogniser and the words that bias it."""
