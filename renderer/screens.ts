import type { ComponentType } from 'preact';
import type { TillState } from '../shared/till/views.ts';
import type { IconName } from './components/icon.tsx';
import { loadLater } from './components/load-later.tsx';
import type { Screen } from './frame/frame.ts';

/** A screen other than the sale. Its code, styles and words come when it is first shown. */
export interface LaterScreen {
  readonly name: Exclude<Screen, 'sale'>;
  readonly icon: IconName;
  readonly component: ComponentType;
  readonly isFor: (till: TillState) => boolean;
}

const always = (): boolean => true;

/** The one table of these screens, in the order of the menu. */
export const laterScreens: readonly LaterScreen[] = [
  {
    name: 'activity',
    icon: 'scroll-text',
    component: loadLater(
      () => import('./activity/activity-screen.tsx'),
      (module) => module.ActivityScreen,
      'activity',
    ),
    isFor: always,
  },
  {
    name: 'attention',
    icon: 'circle-alert',
    component: loadLater(
      () => import('./attention/attention-screen.tsx'),
      (module) => module.AttentionScreen,
      'attention',
      'past',
    ),
    isFor: always,
  },
  {
    name: 'day-close',
    icon: 'calendar-check',
    component: loadLater(
      () => import('./day-close/day-close-screen.tsx'),
      (module) => module.DayCloseScreen,
      'day-close',
    ),
    isFor: always,
  },
  {
    name: 'settings',
    icon: 'settings',
    component: loadLater(
      () => import('./settings/settings-screen.tsx'),
      (module) => module.SettingsScreen,
      'settings',
    ),
    isFor: always,
  },
  {
    name: 'diagnostics',
    icon: 'gauge',
    component: loadLater(
      () => import('./diagnostics/diagnostics-screen.tsx'),
      (module) => module.DiagnosticsScreen,
      'diagnostics',
    ),
    isFor: always,
  },
  {
    name: 'lab',
    icon: 'flask-conical',
    component: loadLater(
      () => import('./lab/lab-screen.tsx'),
      (module) => module.LabScreen,
      'lab',
    ),
    isFor: (till) => till.mode === 'sandbox' && till.lab !== null,
  },
];

/** The screen of that name; null when this till does not have it. */
export function laterScreen(name: Screen, till: TillState | null): LaterScreen | null {
  if (till === null) return null;
  return laterScreens.find((screen) => screen.name === name && screen.isFor(till)) ?? null;
}
