/** Webhooks of a tournament: which address is told of what, and what became of each delivery. Three services have them. */

import { useId, useState } from 'preact/hooks';

import {
  pauseWebhook,
  registerWebhook,
  removeWebhook,
  restartWebhook,
  rotateWebhookSecret,
  sendDeliveryAgain,
  testWebhook,
} from 'roundlog/results/sdk.gen.ts';
import type { Delivery, Webhook, WebhookKind } from 'roundlog/results/types.gen.ts';

import { useDeliveries, useWebhooks, type Teller, type Tournament } from '../../api/director.ts';
import { own } from '../../api/session.ts';
import { CopyButton, ProblemNote, sameDay, Section, Shown } from '../../parts/basics.tsx';
import { useSpeech } from '../../texts/all_texts.tsx';
import { titleOf } from '../../texts/story_titles.ts';
import { Act, Labelled, OrderButton, Sending, useOrder } from './order.tsx';

/** Each service tells what stands in its own log. */
const TOLD: [Teller, WebhookKind[]][] = [
  ['pairing', ['rounds']],
  ['results', ['results', 'rounds', 'disputes']],
  ['standings', ['tables']],
];

export default function WebhooksPart({ tournament }: { tournament: Tournament }) {
  const { texts } = useSpeech();
  return (
    <div class="columns">
      <Section title={texts.webhooks.title}>
        <Listed tournament={tournament.id} />
      </Section>
      <Section title={texts.webhooks.register}>
        <Register tournament={tournament.id} />
      </Section>
    </div>
  );
}

function Listed({ tournament }: { tournament: string }) {
  const { texts } = useSpeech();
  const asked = TOLD.map(([teller]) => ({ teller, ...useWebhooks(teller, tournament) })); // always the same three
  const problems = asked.flatMap(({ problem }) => problem ?? []);
  const found = asked.flatMap(({ answer, teller }) => (answer?.items ?? []).map((one) => ({ one, teller })));
  const different = problems.filter(({ type }, at) => problems.findIndex((other) => other.type === type) === at);
  if (!problems.length && asked.some(({ answer }) => !answer)) return <span class="skeleton" aria-busy="true" />;
  return (
    <div class="stack">
      {different.map((problem) => (
        <ProblemNote key={problem.type} problem={problem} />
      ))}
      {!problems.length && !found.length && <p class="empty">{texts.webhooks.none}</p>}
      {found.map(({ one, teller }) => (
        <OneWebhook key={one.id} tournament={tournament} teller={teller} webhook={one} />
      ))}
    </div>
  );
}

/** The services are asked one after the other; whoever presses again after a refusal asks only those that have not taken it. */
function Register({ tournament }: { tournament: string }) {
  const { texts } = useSpeech();
  const [url, say] = useState('');
  const [chosen, choose] = useState(['results/results']);
  const [secrets, show] = useState<{ id: string; teller: Teller; secret: string }[]>([]);
  const running = useOrder();
  const register = async () => {
    for (const [teller, kinds] of TOLD) {
      const wanted = kinds.filter((kind) => chosen.includes(`${teller}/${kind}`));
      if (!wanted.length) continue;
      const made = await running.send(`${tournament}/webhooks/${teller}/${wanted.join()}/${url}`, (to) =>
        registerWebhook({ client: own[teller], path: { tournament_id: tournament }, body: { url, kinds: wanted }, ...to }),
      );
      if (!made) return;
      show((before) => [...before, { id: made.id, teller, secret: made.secret }]);
      choose((before) => before.filter((one) => !one.startsWith(`${teller}/`)));
    }
    say('');
  };
  return (
    <div class="stack">
      <p class="soft">{texts.webhooks.how}</p>
      <form
        class="stack"
        onSubmit={(event) => {
          event.preventDefault();
          void register();
        }}
      >
        <Labelled label={texts.webhooks.address}>
          <input
            class="field"
            type="url"
            autocomplete="off"
            spellcheck={false}
            maxLength={2000}
            placeholder="https://example.org/roundlog"
            required
            value={url}
            onInput={({ currentTarget }) => say(currentTarget.value)}
          />
        </Labelled>
        <fieldset class="ticks">
          <legend class="soft small">{texts.webhooks.told}</legend>
          {TOLD.flatMap(([teller, kinds]) => kinds.map((kind) => [teller, kind] as const)).map(([teller, kind]) => {
            const name = `${teller}/${kind}`;
            return (
              <label class="tick" key={name}>
                <input
                  type="checkbox"
                  checked={chosen.includes(name)}
                  onChange={({ currentTarget: { checked } }) =>
                    choose((before) => (checked ? [...before, name] : before.filter((one) => one !== name)))
                  }
                />
                {texts.webhooks.kinds[teller]?.[kind]}
              </label>
            );
          })}
        </fieldset>
        <div>
          <button type="submit" class="button primary" disabled={!chosen.length} aria-disabled={running.busy || undefined}>
            {texts.webhooks.register}
          </button>
        </div>
        <Sending running={running} />
      </form>
      {secrets.map(({ id, teller, secret }) => (
        <Secret
          key={id}
          title={texts.webhooks.secret(texts.webhooks.by[teller])}
          secret={secret}
          hide={() => show((before) => before.filter((one) => one.id !== id))}
        />
      ))}
    </div>
  );
}

/** It is kept nowhere here: whoever leaves the page has seen it. */
function Secret({ title, secret, hide }: { title: string; secret: string; hide: () => void }) {
  const { texts } = useSpeech();
  return (
    <div class="note stack" role="status">
      <p>
        <b>{title}</b> {texts.webhooks.keep}
      </p>
      <code class="anywhere">{secret}</code>
      <div class="row">
        <CopyButton of={secret} title={title} />
        <button type="button" class="button" onClick={hide}>
          {texts.shell.close}
        </button>
      </div>
    </div>
  );
}

function OneWebhook({ tournament, teller, webhook }: { tournament: string; teller: Teller; webhook: Webhook }) {
  const { texts, moment } = useSpeech();
  const [unfolded, unfold] = useState(false);
  const [secret, show] = useState<string>();
  const heading = useId();
  const path = { tournament_id: tournament, webhook_id: webhook.id };
  const client = own[teller];
  const { state, failing_since: failing } = webhook;
  return (
    <article class="card webhook" aria-labelledby={heading}>
      <h3 id={heading} class="anywhere">
        {webhook.url}
      </h3>
      <p class="row">
        <span class="badge">{texts.webhooks.by[teller]}</span>
        <span class={`badge${LOOKS_OF[state]}`}>{texts.webhooks.state[state]}</span>
        <span class="soft small">{texts.webhooks.registered(moment(webhook.registered))}</span>
      </p>
      <ul class="small">
        {webhook.kinds.map((kind) => (
          <li key={kind}>{texts.webhooks.kinds[teller]?.[kind] ?? kind}</li>
        ))}
      </ul>
      {failing && (
        <p class="note problem">
          {texts.webhooks.failing(moment(failing))} {webhook.waiting > 0 && texts.webhooks.waiting(webhook.waiting)}
        </p>
      )}
      <div class="row">
        {state === 'active' && (
          <OrderButton
            what={`${webhook.id}/test`}
            order={(to) => testWebhook({ client, path, ...to })}
            done={() => unfold(true)}
          >
            {texts.webhooks.test}
          </OrderButton>
        )}
        {state === 'active' && (
          <OrderButton what={`${webhook.id}/pause`} absolute order={(to) => pauseWebhook({ client, path, ...to })}>
            {texts.webhooks.pause}
          </OrderButton>
        )}
        {(state !== 'active' || failing) && (
          <OrderButton
            primary={state !== 'active'}
            what={`${webhook.id}/restart`}
            absolute
            order={(to) => restartWebhook({ client, path, ...to })}
          >
            {texts.webhooks.restart}
          </OrderButton>
        )}
      </div>
      <div class="acts">
        <details class="card act" open={unfolded} onToggle={({ currentTarget }) => unfold(currentTarget.open)}>
          <summary>{texts.webhooks.deliveries}</summary>
          {unfolded && <Deliveries teller={teller} path={path} active={state === 'active'} />}
        </details>
        <Act
          title={texts.webhooks.rotate}
          what={`${webhook.id}/rotate`}
          order={async (to) => {
            const outcome = await rotateWebhookSecret({ client, path, ...to });
            if (outcome.data) show(outcome.data.secret);
            return outcome;
          }}
        >
          <p>{texts.webhooks.rotateHow}</p>
        </Act>
        {secret && (
          <Secret title={texts.webhooks.secret(texts.webhooks.by[teller])} secret={secret} hide={() => show(undefined)} />
        )}
        <Act
          title={texts.webhooks.remove}
          what={`${webhook.id}/remove`}
          order={(to) => {
            unfold(false); // its deliveries go with it: they are not asked for any more
            return removeWebhook({ client, path, ...to });
          }}
        >
          <p>{texts.webhooks.removeHow}</p>
        </Act>
      </div>
    </article>
  );
}

function Deliveries({
  teller,
  path,
  active,
}: {
  teller: Teller;
  path: { tournament_id: string; webhook_id: string };
  active: boolean;
}) {
  const { texts } = useSpeech();
  const [before, go] = useState<number>();
  const asked = useDeliveries(teller, path, before);
  return (
    <div class="stack deliveries">
      <Shown asked={asked}>
        {({ items, next }) => (
          <>
            {!items.length && <p class="empty">{texts.webhooks.noDeliveries}</p>}
            <ol class="ledger">
              {items.map((one) => (
                <li key={one.number} class="link-line">
                  <DeliverySaid one={one} active={active} />
                  {active && (
                    <OrderButton
                      what={`${path.webhook_id}/${one.number}/again`}
                      order={(to) => sendDeliveryAgain({ client: own[teller], path: { ...path, number: one.number }, ...to })}
                    >
                      {texts.webhooks.again}
                    </OrderButton>
                  )}
                </li>
              ))}
            </ol>
            {(before !== undefined || next !== null) && (
              <div class="row">
                {before !== undefined && (
                  <button type="button" class="button" onClick={() => go(undefined)}>
                    {texts.webhooks.newest}
                  </button>
                )}
                {next !== null && (
                  <button type="button" class="button" onClick={() => go(next)}>
                    {texts.webhooks.older}
                  </button>
                )}
              </div>
            )}
          </>
        )}
      </Shown>
    </div>
  );
}

const LOOKS_OF = { active: ' win', paused: ' draw', stopped: ' loss' };
const TEST = 'webhook.test';
const LOOKS = { waiting: '', delivered: ' win', failed: ' loss' };

/** Attempts come seconds after each other; nothing is tried while the webhook is stopped. */
function DeliverySaid({ one, active }: { one: Delivery; active: boolean }) {
  const { texts, language, moment, second } = useSpeech();
  const when = (at: string) => (sameDay(at) ? second(at) : moment(at));
  const said = [
    one.last_at && when(one.last_at),
    one.attempts > 0 && texts.webhooks.attempts(one.attempts),
    one.code !== null && texts.webhooks.answered(one.code),
    active && one.attempts > 0 && one.next_at && texts.webhooks.next(when(one.next_at)),
  ];
  return (
    <span>
      <b>{one.type === TEST ? texts.webhooks.tested : titleOf(one.type, language)}</b>{' '}
      <span class={`badge${LOOKS[one.state]}`}>{texts.webhooks.delivery[one.state]}</span>
      <span class="soft small">{said.filter(Boolean).join(' · ')}</span>
      {one.problem && (
        <span class="small" lang="en">
          {one.problem}
        </span>
      )}
    </span>
  );
}
