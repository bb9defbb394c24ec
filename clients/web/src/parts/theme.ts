/** Light, dark or high contrast: as the device has it, or as chosen by hand. */

export const THEMES = ['auto', 'light', 'dark', 'contrast'] as const;
export type Theme = (typeof THEMES)[number];

const KEPT = 'roundlog.theme';
const dark = matchMedia('(prefers-color-scheme: dark)');
const contrast = matchMedia('(prefers-contrast: more)');

export function theme(): Theme {
  const kept = localStorage.getItem(KEPT);
  return THEMES.find((one) => one === kept) ?? 'auto';
}

export function choose(wanted: Theme): void {
  localStorage.setItem(KEPT, wanted);
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
