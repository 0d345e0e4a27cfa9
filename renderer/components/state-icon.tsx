import type { StateLook } from '../operation/outcome.ts';
import { FirstIcon, type FirstIconName } from './first-icon.tsx';

/** The icon of each state. */
export const stateIcons: Readonly<Record<StateLook['icon'], FirstIconName>> = {
  saved: 'check',
  sending: 'send',
  checking: 'hourglass',
  sent: 'cloud-upload',
  applied: 'check',
  refused: 'circle-alert',
  undone: 'undo-2',
  written_off: 'file-x',
};

/** A state's icon on its colour. The state's word is always beside it. */
export function StateIcon({ look, size = 20 }: { readonly look: StateLook; readonly size?: number }) {
  return (
    <span class={`tile tone-${look.tone}`}>
      <FirstIcon name={stateIcons[look.icon]} size={size} mirrors={look.icon === 'sending' || look.icon === 'undone'} />
    </span>
  );
}
