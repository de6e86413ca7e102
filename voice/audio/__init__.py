"""Sound in: files, devices, the microphone, and where speech begins and ends."""
