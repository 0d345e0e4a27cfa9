import type { PartLoaders } from '../parts.ts';

export const parts: PartLoaders = {
  start: () => import('./start.ts'),
  activity: () => import('./activity.ts'),
  attention: () => import('./attention.ts'),
  'day-close': () => import('./day-close.ts'),
  diagnostics: () => import('./diagnostics.ts'),
  enroll: () => import('./enroll.ts'),
  'first-run': () => import('./first-run.ts'),
  guide: () => import('./guide.ts'),
  holds: () => import('./holds.ts'),
  lab: () => import('./lab.ts'),
  notices: () => import('./notices.ts'),
  past: () => import('./past.ts'),
  receipt: () => import('./receipt.ts'),
  settings: () => import('./settings.ts'),
};
