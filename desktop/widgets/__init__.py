"""Small widgets that several panes share."""
