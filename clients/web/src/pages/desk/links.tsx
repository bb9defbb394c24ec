/** Links that a director hands out: for scorers, listed and revoked, and for captains and players. As QR codes, and on paper. */

import { useLocation } from 'preact-iso';
import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';

import { issueCaptainTokens, issueScorerLinks, revokeScorerLink } from 'roundlog/registration/sdk.gen.ts';
import type { FieldTokens } from 'roundlog/registration/types.gen.ts';

import { addresses } from '../../addresses.ts';
import {
  directed,
  useScorerLinks,
  type MeAtRegistration,
} from '../../api/own.ts';
import type { Outcome } from '../../api/answer_cache.ts';
import { own } from '../../api/session.ts';
import { CopyButton, ProblemNote, Section, useChosen, useTitle } from '../../parts/basics.tsx';
import { Code } from '../../parts/code.tsx';
import { useSpeech } from '../../texts/all_texts.tsx';
import { OrderButton, Sending, useOrder, useSettled } from './order.tsx';

export default function LinksPage({ me }: { me: MeAtRegistration }) {
  const { texts } = useSpeech();
  const { query, route } = useLocation();
  const there = directed(me);
  const chosen = useChosen(query.tournament, there);
  const [wanted, want] = useState<{ only: 'scorers' | 'players' }>();
  useLayoutEffect(() => {
    if (wanted) print(); // scorers' links are handed to others than players' are: each goes to paper alone
  }, [wanted]);
  useTitle(texts.links.title, chosen?.name);
  if (!chosen) {
    return (
      <>
        <h1>{texts.links.title}</h1>
        <p class="empty">{texts.links.notYours}</p>
      </>
    );
  }
  return (
    <>
      <div class="desk-head no-print">
        <h1>
          {chosen.name}: {texts.links.title}
        </h1>
      </div>
      {there.length > 1 && (
        <label class="labelled desk-choice no-print">
          <span>{texts.desk.tournament}</span>
          <select
            class="field"
            value={chosen.id}
            onChange={({ currentTarget }) => route(addresses.deskLinksOf(currentTarget.value), true)}
          >
            {there.map(({ id, name }) => (
              <option key={id} value={id}>
                {name}
              </option>
            ))}
          </select>
        </label>
      )}
      <div class="columns desk-columns" key={chosen.id} data-printed={wanted?.only}>
        <ScorerLinks tournament={chosen.id} name={chosen.name} print={() => want({ only: 'scorers' })} />
        <OwnLinks tournament={chosen.id} name={chosen.name} print={() => want({ only: 'players' })} />
      </div>
    </>
  );
}

type Card = { key: string; title: string; link: string; until: string };
type OfLinks = { tournament: string; name: string; print: () => void };

function ScorerLinks({ tournament, name, print }: OfLinks) {
  const { texts } = useSpeech();
  const [count, setCount] = useState('1');
  const [hours, setHours] = useState('12');
  const [handed, hand] = useState<Card[]>([]);
  const running = useOrder();
  const settled = useSettled(handed.map(({ key }) => key).join());
  const make = async () => {
    if (!settled) return;
    const body = { count: Number(count), hours: Number(hours) };
    const answer = await running.send(`${tournament}/scorer-links/${JSON.stringify(body)}`, (to) =>
      issueScorerLinks({ client: own.registration, path: { tournament_id: tournament }, body, ...to }),
    );
    if (!answer) return;
    const cards = answer.items.map(({ number, link, token }) => ({
      key: String(number),
      title: `${texts.desk.results} · ${texts.links.link(number)}`,
      link: link ?? deskLink(token),
      until: answer.expires_at,
    }));
    hand([...handed, ...cards]); // those that were made before are good as well, and nobody could show them again
  };
  return (
    <Section title={texts.links.scorers}>
      <div class="stack">
        <p class="soft no-print">{texts.links.scorersHow}</p>
        <form
          class="links-form no-print"
          onSubmit={(event) => {
            event.preventDefault();
            void make();
          }}
        >
          <label class="labelled">
            <span>{texts.links.count}</span>
            <input class="field" type="number" min={1} max={50} required value={count} onInput={({ currentTarget }) => setCount(currentTarget.value)} />
          </label>
          <label class="labelled">
            <span>{texts.links.hours}</span>
            <input class="field" type="number" min={1} max={12} required value={hours} onInput={({ currentTarget }) => setHours(currentTarget.value)} />
          </label>
          <button
            type="submit"
            class="button primary"
            aria-disabled={running.busy || !settled || undefined}
            onClick={(event) => event.detail > 1 && event.preventDefault()}
          >
            {texts.links.make}
          </button>
        </form>
        <Sending running={running} />
        {handed.length > 0 && <Cards cards={handed} of={texts.links.scorers} name={name} print={print} close={() => hand([])} />}
        <Listed tournament={tournament} />
      </div>
    </Section>
  );
}

function Listed({ tournament }: { tournament: string }) {
  const { texts, moment } = useSpeech();
  const { answer, problem } = useScorerLinks(tournament);
  const [asking, ask] = useState<number>();
  if (!answer) return problem ? <ProblemNote problem={problem} /> : <div class="skeleton" aria-busy="true" />;
  if (!answer.items.length) return <p class="empty no-print">{texts.links.none}</p>;
  return (
    <>
      <ul class="ledger no-print">
        {answer.items.map(({ number, status, issued_by, expires_at }) => (
          <li key={number} class="link-line">
            <span>
              <b>{texts.links.link(number)}</b>{' '}
              <span class={`badge${status === 'good' ? ' win' : ''}`}>{texts.links.status[status]}</span>
              <span class="soft small">
                {issued_by} · {texts.links.until(moment(expires_at))}
              </span>
            </span>
            {status === 'good' &&
              (asking === number ? (
                <span class="row" role="alert">
                  {texts.links.revokeSure(number)}
                  <OrderButton
                    what={`${tournament}/revoke/${number}`}
                    order={(to) => revokeScorerLink({ client: own.registration, path: { tournament_id: tournament, number }, ...to })}
                    done={() => ask((now) => (now === number ? undefined : now))}
                  >
                    {texts.links.revoke}
                  </OrderButton>
                  <button type="button" class="button" onClick={() => ask(undefined)}>
                    {texts.desk.cancel}
                  </button>
                </span>
              ) : (
                <button type="button" class="button" aria-label={`${texts.links.revoke}: ${texts.links.link(number)}`} onClick={() => ask(number)}>
                  {texts.links.revoke}
                </button>
              ))}
          </li>
        ))}
      </ul>
    </>
  );
}

function OwnLinks({ tournament, name, print }: OfLinks) {
  const { texts } = useSpeech();
  const [handed, hand] = useState<Card[]>([]);
  const show = ({ items, expires_at }: FieldTokens) =>
    hand(
      items.map(({ entrant, number, name: called, link, token }) => ({
        key: entrant,
        title: [number, called].filter(Boolean).join('. ') || entrant,
        link: link ?? deskLink(token),
        until: expires_at,
      })),
    );
  return (
    <Section title={texts.links.players}>
      <div class="stack">
        <p class="soft no-print">{texts.links.playersHow}</p>
        <div class="no-print">
          <OrderButton
            what={`${tournament}/captain-tokens`}
            order={(to) =>
              issueCaptainTokens({
                client: own.registration,
                path: { tournament_id: tournament },
                body: {},
                ...to,
              }) as Promise<Outcome<FieldTokens>>
            }
            done={show}
          >
            {texts.links.makeAll}
          </OrderButton>
        </div>
        {handed.length > 0 && <Cards cards={handed} of={texts.links.players} name={name} print={print} close={() => hand([])} />}
      </div>
    </Section>
  );
}

function deskLink(token: string): string {
  return `${location.origin}${addresses.desk}#token=${token}`;
}

/** Cards to be cut out, or held towards a telephone. */
function Cards({ cards, of, name, print, close }: { cards: Card[]; of: string; name: string; print: () => void; close: () => void }) {
  const { texts, moment } = useSpeech();
  const [large, enlarge] = useState<Card>();
  return (
    <div class="stack">
      <p class="note no-print" role="status">
        {texts.links.made}
      </p>
      <div class="row no-print">
        <button type="button" class="button for-paper" aria-label={`${texts.shell.print}: ${of}`} onClick={print}>
          {texts.shell.print}
        </button>
        <button type="button" class="button" onClick={close}>
          {texts.links.hide}
        </button>
      </div>
      <ul class="codes">
        {cards.map((card) => (
          <li key={card.key} class="card code-card">
            <p class="small">{name}</p>
            <h3>{card.title}</h3>
            <Code of={card.link} title={`${card.title}: ${texts.links.scan}`} />
            <p class="small">
              {texts.links.scan} <span class="nowrap">{texts.links.until(moment(card.until))}</span>
            </p>
            <div class="row no-print">
              <button type="button" class="button" aria-label={`${texts.links.show}: ${card.title}`} onClick={() => enlarge(card)}>
                {texts.links.show}
              </button>
              <CopyButton of={card.link} title={card.title} />
            </div>
          </li>
        ))}
      </ul>
      {large && <Large card={large} close={() => enlarge(undefined)} />}
    </div>
  );
}

function Large({ card, close }: { card: Card; close: () => void }) {
  const { texts } = useSpeech();
  const dialog = useRef<HTMLDialogElement>(null);
  useEffect(() => dialog.current?.showModal(), []);
  return (
    <dialog class="code-large no-print" ref={dialog} onClose={close} aria-label={card.title}>
      <h3>{card.title}</h3>
      <Code of={card.link} title={`${card.title}: ${texts.links.scan}`} />
      <button type="button" class="button" onClick={() => dialog.current?.close()}>
        {texts.shell.close}
      </button>
    </dialog>
  );
}
