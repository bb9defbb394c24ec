"""A tournament that plays itself, through nothing but the public HTTP interface."""
