/** What somebody in the hall wants to know first: where do I play, who leads, what was announced. */

import { useState } from 'preact/hooks';

import { addresses } from '../../addresses.ts';
import { now } from '../../api/clock.ts';
import { useNotices, useRanking, useRound, useTable, type FinalRanking, type RoundOfGames, type StageList, type Tournament } from '../../api/public.ts';
import { currentRound, currentStage, type RoundListed, type StageListed } from '../../api/stages.ts';
import { Search, Section, Shown } from '../../parts/basics.tsx';
import { Countdown } from '../../parts/countdown.tsx';
import { seatName, stageName } from '../../parts/names.ts';
import { Names, OwnPlace, Pairs, sittings } from '../../parts/pairs.tsx';
import { matches } from '../../parts/basics.tsx';
import { byGroups, inOneOrder, Places, spans } from '../../parts/table.tsx';
import { useSpeech, type Texts } from '../../texts/index.ts';
import type { OfTournament } from './given.ts';
import { Podium } from './ranking.tsx';
import { standsAfter } from './table.tsx';

const BEST = 10;
const SOME = 12;

/** Each part hears its own answers, so that none of them draws the others anew. */
export function Overview({ tournament, about, stages }: OfTournament) {
  const { texts } = useSpeech();
  const stage = currentStage(stages);
  const listed = currentRound(stage);
  if (!about || !stages) return <Shown asked={{ answer: undefined, problem: undefined }} rows={8}>{() => null}</Shown>;
  if (!stage || !listed) return <Before about={about} tournament={tournament} />;
  const current = { tournament, stages, stage, listed };
  if (about.status === 'completed') return <After {...current} />;
  return (
    <div class="stack">
      <Finder {...current} />
      <Notices tournament={tournament} />
      <div class="columns section">
        <RoundNow {...current} />
        <TableNow {...current} />
      </div>
      <p class="no-print">
        <a href={addresses.hall(tournament)}>{texts.tournament.hall}</a>
      </p>
    </div>
  );
}

type Current = { tournament: string; stages: StageList; stage: StageListed; listed: RoundListed };

function RoundNow({ tournament, stages, stage, listed }: Current) {
  const { texts } = useSpeech();
  const round = useRound(tournament, stage.stage, listed.round);
  return (
    <Section title={roundTitle(texts, stages, stage, listed)} end={<a href={addresses.rounds(tournament)}>{texts.tournament.rounds}</a>}>
      <Shown asked={round} rows={SOME}>
        {(answer) => (
          <div class="stack">
            <Progress round={answer} />
            <Pairs tournament={tournament} games={answer.items.slice(0, SOME)} />
            {answer.items.length > SOME && (
              <a class="button" href={addresses.rounds(tournament)}>
                {texts.shell.more}
              </a>
            )}
          </div>
        )}
      </Shown>
    </Section>
  );
}

function TableNow({ tournament, stage }: Current) {
  const { texts } = useSpeech();
  const table = useTable(tournament, stage.stage);
  return (
    <Section title={texts.tournament.table} end={<a href={addresses.table(tournament)}>{texts.shell.more}</a>}>
      <Shown asked={table}>
        {(answer) => (
          <div class="stack">
            <p class="soft">{standsAfter(texts, answer, stage)}</p>
            {byGroups(answer.standings).map(([group, rows]) => (
              <div key={group} class="stack">
                {group && <h3>{texts.rounds.group(group)}</h3>}
                <Places
                  tournament={tournament}
                  stage={stage.stage}
                  columns={answer.columns}
                  rows={rows}
                  title={group ? texts.rounds.group(group) : texts.tournament.table}
                  most={BEST}
                  brief
                />
              </div>
            ))}
          </div>
        )}
      </Shown>
    </Section>
  );
}

/** A tournament that is over begins with who has won it, and everybody finds the own place. */
function After({ tournament, stages, stage, listed }: Current) {
  const { texts } = useSpeech();
  const ranking = useRanking(tournament);
  const round = useRound(tournament, stage.stage, listed.round);
  return (
    <div class="stack">
      <p class="soft">{texts.tournament.ended}</p>
      <Notices tournament={tournament} />
      <Shown asked={ranking} rows={8}>
        {(answer) => (
          <div class="stack">
            <Podium tournament={tournament} ranking={answer} />
            <PlaceFinder tournament={tournament} ranking={answer} />
            <div class="columns section">
              <Section title={texts.tournament.ranking} end={<a href={addresses.ranking(tournament)}>{texts.shell.more}</a>}>
                <Places
                  tournament={tournament}
                  columns={answer.columns}
                  rows={inOneOrder(answer.standings)}
                  title={texts.tournament.ranking}
                  most={BEST}
                  brief
                />
              </Section>
              <Section
                title={roundTitle(texts, stages, stage, listed)}
                end={<a href={addresses.rounds(tournament)}>{texts.tournament.rounds}</a>}
              >
                <Shown asked={round}>{({ items }) => <Pairs tournament={tournament} games={items.slice(0, SOME)} />}</Shown>
              </Section>
            </div>
          </div>
        )}
      </Shown>
    </div>
  );
}

/** How somebody has ended, and why. */
function PlaceFinder({ tournament, ranking }: { tournament: string; ranking: FinalRanking }) {
  const { texts } = useSpeech();
  const [words, search] = useState('');
  const wanted = words.trim();
  const places = spans(inOneOrder(ranking.standings));
  const found = wanted ? ranking.standings.filter((row) => matches(wanted, seatName(row), row.home)) : [];
  return (
    <div class="stack" role="search">
      <Search label={texts.tournament.findYourself} hint={texts.table.name} value={words} change={search} titled />
      <div aria-live="polite">
        {wanted && found.length === 0 && <p class="soft">{texts.tournament.nobodyFound}</p>}
        {found.length > 0 && (
          <ul class="names">
            {found.slice(0, SOME).map((row) => (
              <li key={row.entrant}>
                <span class="who">
                  <a href={addresses.entrant(tournament, row.entrant, row.stage)}>{seatName(row)}</a>
                  {row.home && <span class="home">{row.home}</span>}
                  <OwnPlace address={addresses.entrant(tournament, row.entrant, row.stage)} place={places.get(row.entrant)} />
                </span>
              </li>
            ))}
          </ul>
        )}
      </div>
    </div>
  );
}

function roundTitle(texts: Texts, { stages }: StageList, stage: StageListed, { round }: RoundListed): string {
  return `${stages.length > 1 ? `${stageName(texts, stage)}: ` : ''}${texts.rounds.round(round)}`;
}

export function Progress({ round }: { round: RoundOfGames }) {
  const { texts, moment } = useSpeech();
  const coming = round.starts_at && new Date(round.starts_at).getTime() > now();
  return (
    <p class="soft row">
      {coming && round.starts_at ? (
        <>
          <span>{texts.rounds.startsAt(moment(round.starts_at, round.time_zone ?? undefined))}</span>
          <Countdown until={round.starts_at} />
        </>
      ) : (
        <span>{round.missing ? texts.rounds.open(round.missing) : texts.rounds.complete}</span>
      )}
    </p>
  );
}

/** The own table within three letters, and from there why the own place is this place. */
function Finder({ tournament, stage, listed }: Current) {
  const { texts, before } = useSpeech();
  const round = useRound(tournament, stage.stage, listed.round).answer;
  const table = useTable(tournament, stage.stage).answer;
  const [words, search] = useState('');
  const wanted = words.trim();
  const found = wanted && round
    ? sittings(round, texts, before).filter(({ seat }) => matches(wanted, seatName(seat), seat.home, seat.number))
    : [];
  return (
    <div class="stack" role="search">
      <Search label={texts.hall.byName} hint={texts.tournament.findHint} value={words} change={search} titled />
      <div aria-live="polite">
        {wanted && found.length === 0 && <p class="soft">{texts.tournament.nobodyFound}</p>}
        {round && found.length > 0 && <Names tournament={tournament} stage={round.stage} sitting={found.slice(0, SOME)} table={table} />}
      </div>
    </div>
  );
}

function Notices({ tournament }: { tournament: string }) {
  const { texts, moment } = useSpeech();
  const { answer } = useNotices(tournament);
  const standing = (answer?.items ?? []).filter((one) => one.words && !one.recalled).reverse();
  if (!standing.length) return null;
  return (
    <Section title={texts.tournament.notices}>
      <ul class="stack">
        {standing.map((one) => (
          <li key={one.id} class="note">
            {one.words} <span class="soft small">{moment(one.at)}</span>
          </li>
        ))}
      </ul>
    </Section>
  );
}

function Before({ tournament, about }: { tournament: string; about: Tournament }) {
  const { texts, moment, day, time } = useSpeech();
  const zone = about.time_zone;
  return (
    <div class="stack">
      <p>{texts.tournament.notYet}</p>
      {about.entries_close && about.status === 'registration' && (
        <p>{texts.tournament.entriesClose(moment(about.entries_close, zone))}</p>
      )}
      <p>
        {texts.tournament.firstRound(moment(about.first_round_at, zone))} <Countdown until={about.first_round_at} />
      </p>
      <Notices tournament={tournament} />
      {about.timetable.length > 0 && (
        <Section title={texts.tournament.timetable}>
          <ul class="stack">
            {about.timetable.map((one) => (
              <li key={`${one.on}${one.at}${one.what}`} class="row">
                <span class="soft">
                  {day(`${one.on}T12:00:00Z`, 'UTC')}
                  {one.at && `, ${time(one.at, zone)}`}
                </span>
                <span>{one.what}</span>
              </li>
            ))}
          </ul>
        </Section>
      )}
    </div>
  );
}
