import { useEffect, useState } from 'preact/hooks';

import { now as nowThere } from '../api/clock.ts';

/** The time of the services, second by second. */
export function useNow(): number {
  const [now, tick] = useState(nowThere);
  useEffect(() => {
    const timer = setInterval(() => tick(nowThere()), 1000);
    return () => clearInterval(timer);
  }, []);
  return now;
}

/** The time that is left, or since: 12:05, or 3 h 12 min. Nothing where it is days away. */
export function Countdown({ until, since = false }: { until: string; since?: boolean }) {
  const now = useNow();
  const seconds = Math.floor(Math.abs(new Date(until).getTime() - now) / 1000);
  const coming = new Date(until).getTime() > now;
  if (coming === since || seconds > 24 * 3600) return null;
  const [hours, minutes, rest] = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60, seconds % 60];
  const two = (number: number) => String(number).padStart(2, '0');
  return (
    <strong class="nowrap" role="timer" aria-live="off">
      {hours ? `${hours}:${two(minutes)}:${two(rest)}` : `${minutes}:${two(rest)}`}
    </strong>
  );
}
