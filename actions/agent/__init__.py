"""The built-in agent: an ACP agent process of its own. Without a model it is the scout (see ``scout/``)."""
