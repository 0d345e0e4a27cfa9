import { effect, type ReadonlySignal, signal } from '@preact/signals';
import type { Theme } from './frame.ts';

/** Keeps `data-theme` at light or dark, as chosen or as the system has it: the styles know a single dark palette. */
export function keepTheme(page: Window, theme: ReadonlySignal<Theme>): void {
  const systemIsDark = page.matchMedia('(prefers-color-scheme: dark)');
  const system = signal(schemeOf(systemIsDark));
  systemIsDark.addEventListener('change', () => {
    system.value = schemeOf(systemIsDark);
  });
  effect(() => {
    page.document.documentElement.dataset.theme = theme.value === 'system' ? system.value : theme.value;
  });
}

function schemeOf({ matches }: MediaQueryList): Exclude<Theme, 'system'> {
  return matches ? 'dark' : 'light';
}
