"""What is over is sealed: how many events of a scope stand in a log, and the root over them."""
