"""The actions and option sources, one module a domain. A new module here is found by itself."""
