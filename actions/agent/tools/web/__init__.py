"""Reaching out for FetchURL and SearchWeb: which addresses may be reached, and what comes back as text."""
