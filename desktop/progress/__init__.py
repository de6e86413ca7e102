"""What takes longer than a person overlooks: said in one strip, and ended there."""
