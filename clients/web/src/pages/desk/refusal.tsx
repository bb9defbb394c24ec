/**
 * Why something was refused, in the language of the reader: the sentence of each kind of problem stands in `problems` of `texts/en.ts`, there
 * below `more` where only desks meet it, and of the other languages. What is said about single fields comes from the service, in English.
 */

import { useSpeech } from '../../texts/all_texts.tsx';

type Refused = { type: string; detail: string; errors?: { pointer: string; detail: string }[] | undefined };

const SHOWN = 5;

/**
 * `detailed`: also in English the service's own sentence, which says whom or what it is about. `fields`: what the fields of the form are
 * called, by the places of the request that they fill.
 */
export function Refusal({ problem, detailed = false, fields }: { problem: Refused; detailed?: boolean; fields?: Record<string, string> | undefined }) {
  const { texts, language } = useSpeech();
  const kind = problem.type.split('/').at(-1) ?? '';
  const known = detailed && kind === 'faulty' ? texts.director.faulty : texts.problems[kind]; // what a director fills in is compared with no sheet
  const field = (pointer: string) => Object.entries(fields ?? {}).find(([place]) => pointer === place || pointer.startsWith(`${place}/`))?.[1];
  const errors = problem.errors ?? [];
  return (
    <div class="note problem" role="status">
      <p lang={known ? undefined : 'en'}>{known ?? problem.detail}</p>
      {errors.slice(0, SHOWN).map(({ pointer, detail }) => (
        <p key={pointer + detail} class="small">
          {field(pointer) ? <b>{field(pointer)}: </b> : <code>{pointer} </code>}
          <span lang="en">{detail}</span>
        </p>
      ))}
      {known && !errors.length && (detailed || language !== 'en') && (
        <p class="small" lang="en">
          {problem.detail}
        </p>
      )}
    </div>
  );
}
