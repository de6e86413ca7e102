"""Reading aloud, by what the machine has."""
