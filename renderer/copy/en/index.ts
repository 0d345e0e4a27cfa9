/**
 * English, part by part. A part is loaded when it is first shown. This table says which parts and words there are; a
 * language without one of them does not compile.
 */
export const parts = {
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
