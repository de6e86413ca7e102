"""What happens where nobody looks: told by the desktop's own notifications, else in the window."""
