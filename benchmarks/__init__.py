"""What is measured, each figure beside the limit that it is held against, taken in the same run."""
