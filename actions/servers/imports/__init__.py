"""Servers from other programs' configurations: found on the machine (read only), in a file, in pasted text.

Formats are those that each program's public documentation describes. What a program calls automatic approval is never
taken over, no file or command that a configuration names is read or run, and an unknown key is told, not guessed.
"""
