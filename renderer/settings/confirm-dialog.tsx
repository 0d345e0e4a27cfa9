import { modes } from '../../shared/till/modes.ts';
import { FormDialog } from '../components/form-dialog.tsx';
import { useModel } from '../model.ts';
import { useSettings } from './context.ts';
import type { Waiting } from './state.ts';

/** Before another key, address or mode is saved, a manager must see how many operations wait. */
export function ConfirmDialog({ waiting }: { readonly waiting: Waiting }) {
  const { frame } = useModel();
  const { settings, words } = useSettings();
  const format = frame.format.value;
  const total = waiting.sandbox + waiting.production;
  return (
    <FormDialog
      id="settings-confirm"
      title={words.confirm.title(total, format.number(total))}
      icon="cloud-upload"
      tone="warning"
      cancel={words.confirm.back}
      confirm={words.confirm.save}
      onCancel={settings.cancelConfirming}
      onConfirm={() => void settings.save('confirmed')}
    >
      <ul class="confirm-counts">
        {modes
          .filter((mode) => waiting[mode] > 0)
          .map((mode) => (
            <li key={mode} class="badge tone-warning" data-waiting={mode}>
              {words.confirm.inMode[mode](waiting[mode], format.number(waiting[mode]))}
            </li>
          ))}
      </ul>
      <p>{words.confirm.about}</p>
      <ul class="confirm-points stack gap-2">
        {words.confirm.points.map((point) => (
          <li key={point}>{point}</li>
        ))}
      </ul>
    </FormDialog>
  );
}
