"""Who decides whether a call may run: state (yolo, afk), rules, requests and those who wait for them."""
