/** Light, dark or high contrast: as the device has it, or as chosen by hand. */

export const THEMES = ['auto', 'light', 'dark', 'contrast'] as const;
export type Theme = (typeof THEMES)[number];

const KEPT = 'roundlog.theme';
let chosen: string | null = null; // where the browser keeps nothing
const dark = matchMedia('(prefers-color-scheme: dark)');
const contrast = matchMedia('(prefers-contrast: more)');

export function theme(): Theme {
  const known = kept();
  return THEMES.find((one) => one === known) ?? 'auto';
}

function kept(): string | null {
  try {
    return localStorage.getItem(KEPT);
  } catch {
    return chosen;
  }
}

export function choose(wanted: Theme): void {
  chosen = wanted;
  try {
    localStorage.setItem(KEPT, wanted);
  } catch {
    // It looks so as long as the page is open.
  }
  showTheme();
}

export function showTheme(): void {
  const wanted = theme();
  const sharp = wanted === 'contrast' || (wanted === 'auto' && contrast.matches);
  const night = wanted === 'dark' || (wanted !== 'light' && dark.matches);
  const name = sharp ? (night ? 'contrast-dark' : 'contrast') : night ? 'dark' : 'light';
  document.documentElement.dataset.theme = name;
}

dark.addEventListener('change', showTheme);
contrast.addEventListener('change', showTheme);
