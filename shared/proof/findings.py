"""How a proof may fail. Whoever checks one says which: the history was changed, or nobody can read what was handed in.

ProofFailure
 ├ Refuted      it can be read, and does not hold
 └ Malformed    it is not written as it has to be
"""


class ProofFailure(Exception):
    """Nothing is proved."""


class Refuted(ProofFailure):
    """What was claimed is not so, or is claimed by nobody who counts."""


class Malformed(ProofFailure):
    """This is no proof, note, key or tile: at least not in the one way in which it may be written."""
