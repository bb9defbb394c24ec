/** What a drawing of groups or of matches is made of. */

import type { ComponentChildren } from 'preact';

import { BELOW, inLines } from './matches.ts';

/** Whole, in as many lines as it needs. */
export function Name({ name, looks, x, y }: { name: string; looks: string; x: number; y: number }) {
  return (
    <text class={looks} x={x} y={y}>
      {inLines(name).map((line, at) => (
        <tspan key={at} x={x} dy={at && BELOW}>
          {`${line} `}
        </tspan>
      ))}
    </text>
  );
}

/** As large as it is: on a phone it is pushed aside. */
export function Drawing({ title, width, height, children }: { title: string; width: number; height: number; children: ComponentChildren }) {
  return (
    <div class="sheet" role="group" aria-label={title} tabIndex={0}>
      <svg class="bracket" width={width + 32} height={height + 32} viewBox={`-16 -16 ${width + 32} ${height + 32}`}>
        <title>{title}</title>
        {children}
      </svg>
    </div>
  );
}
