import { modes } from '../../shared/till/modes.ts';
import type { WaitingByMode } from '../../shared/till/settings-views.ts';
import { FormDialog } from '../components/form-dialog.tsx';
import { useModel } from '../model.ts';
import { useSettings } from './context.ts';

/** Before another key, address or mode is saved, a manager must see how many operations wait. */
export function ConfirmDialog({ waiting }: { readonly waiting: WaitingByMode }) {
  const { frame } = useModel();
  const { settings, words } = useSettings();
  const format = frame.format.value;
  const { sandbox, production } = waiting;
  const { title, unread } = words.confirm;
  const total = sandbox === null || production === null ? null : sandbox + production;
  return (
    <FormDialog
      id="settings-confirm"
      title={total === null ? unread.title : title(total, format.number(total))}
      icon="cloud-upload"
      tone="warning"
      cancel={words.confirm.back}
      confirm={words.confirm.save}
      onCancel={settings.cancelConfirming}
      onConfirm={() => void settings.save('confirmed')}
    >
      <ul class="confirm-counts">
        {modes
          .map((mode) => ({ mode, count: waiting[mode] }))
          .filter(({ count }) => count !== 0)
          .map(({ mode, count }) => (
            <li key={mode} class="badge tone-warning" data-waiting={mode}>
              {count === null ? unread.inMode[mode] : words.confirm.inMode[mode](count, format.number(count))}
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
