import { FormDialog } from '../components/form-dialog.tsx';
import { useModel } from '../model.ts';
import { useSettings } from './context.ts';

/** Asks what to do when the cashier leaves the screen with unsaved changes. When they are dropped, it is left. */
export function LeaveDialog({ onStay }: { readonly onStay: () => void }) {
  const { frame } = useModel();
  const { settings, words } = useSettings();
  const count = Object.keys(settings.draft.value).length;
  return (
    <FormDialog
      id="settings-leave"
      title={words.leave.title}
      about={words.save.changes(count, frame.format.value.number(count))}
      icon="triangle-alert"
      tone="warning"
      cancel={words.leave.stay}
      confirm={words.leave.leave}
      onCancel={onStay}
      onConfirm={settings.discard}
    />
  );
}
