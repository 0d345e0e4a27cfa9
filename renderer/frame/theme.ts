import { effect, type ReadonlySignal, signal } from '@preact/signals';
import type { TillState } from '../../shared/till/views.ts';
import type { Theme } from './frame.ts';

/** Keeps `data-theme` at light or dark, as chosen or as the system has it. So the styles need only one dark palette. */
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

/** Keeps `data-distance` as the shop has set it. The styles scale all text by it. */
export function keepDistance(page: Window, till: ReadonlySignal<Pick<TillState, 'distance'> | null>): void {
  effect(() => {
    page.document.documentElement.dataset.distance = till.value?.distance ?? 'normal';
  });
}

function schemeOf({ matches }: MediaQueryList): Exclude<Theme, 'system'> {
  return matches ? 'dark' : 'light';
}
