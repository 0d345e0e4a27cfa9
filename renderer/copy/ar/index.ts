import { fetchCode } from '../../shell/fetch-code.ts';
import type { PartLoaders } from '../parts.ts';

export const parts: PartLoaders = {
  start: fetchCode(() => import('./start.ts')),
  activity: fetchCode(() => import('./activity.ts')),
  attention: fetchCode(() => import('./attention.ts')),
  'day-close': fetchCode(() => import('./day-close.ts')),
  diagnostics: fetchCode(() => import('./diagnostics.ts')),
  enroll: fetchCode(() => import('./enroll.ts')),
  'first-run': fetchCode(() => import('./first-run.ts')),
  guide: fetchCode(() => import('./guide.ts')),
  holds: fetchCode(() => import('./holds.ts')),
  lab: fetchCode(() => import('./lab.ts')),
  notices: fetchCode(() => import('./notices.ts')),
  past: fetchCode(() => import('./past.ts')),
  receipt: fetchCode(() => import('./receipt.ts')),
  settings: fetchCode(() => import('./settings.ts')),
};
