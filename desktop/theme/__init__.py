"""How the window looks: colours, palette, fonts, spacing and icons, light and dark."""
