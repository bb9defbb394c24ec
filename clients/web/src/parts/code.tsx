/** A QR code, drawn here: what stands in it is shown to nobody else. */

import qrcode from 'qrcode-generator';
import { useMemo } from 'preact/hooks';

const QUIET = 4; // modules around it that have to stay free

export function Code({ of, title }: { of: string; title: string }) {
  const { side, path } = useMemo(() => drawn(of), [of]);
  return (
    <svg class="code" viewBox={`0 0 ${side} ${side}`} role="img" aria-label={title} shape-rendering="crispEdges">
      <rect width={side} height={side} fill="#fff" />
      <path d={path} fill="#000" />
    </svg>
  );
}

function drawn(words: string): { side: number; path: string } {
  const code = qrcode(0, 'L'); // as small as it gets: a token is long, and a clean screen or paper needs no more
  code.addData(words);
  code.make();
  const size = code.getModuleCount();
  const rows = Array.from({ length: size }, (_, row) => {
    let line = '';
    for (let column = 0; column < size; column++) {
      let length = 0;
      while (column + length < size && code.isDark(row, column + length)) length++;
      if (length) line += `M${column + QUIET} ${row + QUIET}h${length}v1h-${length}z`;
      column += length;
    }
    return line;
  });
  return { side: size + 2 * QUIET, path: rows.join('') };
}
