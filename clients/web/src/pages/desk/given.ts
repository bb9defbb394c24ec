/** What the desk gives to its pages, that of a director to its parts, and these to what stands in them. */

import type { ComponentChildren } from 'preact';

import type { EntrySheet, StageList, Tournament } from '../../api/director.ts';
import type { MeAtResults, UnderWay } from '../../api/own.ts';
import type { Outgoing } from '../../api/sending.ts';
import type { Session } from '../../api/session.ts';
import type { Step } from './steps.ts';

export type OfDesk = { session: Session; me: MeAtResults; outgoing: Outgoing };

/** A part that is added here is drawn by `director.tsx`. */
export type Part = 'now' | 'people' | 'pairing' | 'results' | 'webhooks';

export type Directed = {
  session: Session;
  tournament: Tournament;
  stages: StageList | undefined;
  /** Whether these are still on their way. */
  comes: boolean;
  /** What waits for results, as results have it; none where nothing is being played. */
  underWay: UnderWay | undefined;
  step: Step;
  /** The one button that is next, where it is the turn of it: whoever sees the last result come in need not go elsewhere. */
  following: ComponentChildren;
  go: (part: Part) => void;
  /** Whether a button of the desk has led here: keys go on in the first field of the part. */
  led: boolean;
};

export type Numbered = { stage: string; round: number };
export type At = { tournament_id: string; entrant_id: string };
export type OfEntry = { entry: EntrySheet; path: At };
