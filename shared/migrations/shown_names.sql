-- What registration has said of the names of a tournament, found at once: what spectators see, and whose names there are.

create index on inbox.events (scope, number)
  where source = 'registration' and lost is null
    and type in ('TournamentAnnounced', 'ShownNamesDecided', 'EntrantAdmitted', 'EntrantChanged');
