/** The colour theme of the page. The theme of the system is used until the user chooses one. */
export type Theme = 'light' | 'dark';

const KEY = 'sjp-inspector-theme';

/** Uses the theme that was chosen before, or else the theme of the system. */
export function startTheme(): void {
  show(localStorage.getItem(KEY) === 'dark' ? 'dark' : localStorage.getItem(KEY) === 'light' ? 'light' : systemTheme());
  matchMedia('(prefers-color-scheme: dark)').addEventListener('change', () => {
    if (localStorage.getItem(KEY) === null) show(systemTheme());
  });
}

/** Switches between dark and light, and keeps the choice in this browser. */
export function toggleTheme(): void {
  const next: Theme = document.documentElement.dataset['theme'] === 'dark' ? 'light' : 'dark';
  localStorage.setItem(KEY, next);
  show(next);
}

function show(theme: Theme): void {
  document.documentElement.dataset['theme'] = theme;
  // Pictures take their colours from the theme, so they are drawn again.
  window.dispatchEvent(new Event('themechange'));
}

function systemTheme(): Theme {
  return matchMedia('(prefers-color-scheme: dark)').matches ? 'dark' : 'light';
}

/** Returns the colour with this name in the present theme. */
export function colorOf(name: string): string {
  return getComputedStyle(document.documentElement).getPropertyValue(`--${name}`).trim();
}
