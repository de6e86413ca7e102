"""JSON with comments: read with places, changed by the smallest edit of the text, so that all else stays as written.

The libraries for this either drop comments or need a second language's runtime at hand, so the two small modules are
our own.
"""
