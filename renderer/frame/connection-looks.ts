import type { ConnectionState } from '../../shared/till/views.ts';
import type { FirstIconName } from '../components/first-icon.tsx';
import type { Tone } from '../operation/outcome.ts';

/** How each state of the connection looks on every screen. */
export const connectionLooks: Readonly<Record<ConnectionState, { readonly icon: FirstIconName; readonly tone: Tone }>> =
  {
    online: { icon: 'wifi', tone: 'success' },
    checking: { icon: 'hourglass', tone: 'info' },
    offline: { icon: 'cloud-off', tone: 'warning' },
    key_refused: { icon: 'key-round', tone: 'danger' },
    suspended: { icon: 'ban', tone: 'danger' },
    clock_wrong: { icon: 'clock-alert', tone: 'danger' },
  };
