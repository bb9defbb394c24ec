"""What follows of itself: from rounds of pairing, from absences that registration tells, and from results."""
