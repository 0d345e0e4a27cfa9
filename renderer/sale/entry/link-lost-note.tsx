import { Icon } from '../../components/icon.tsx';
import { useModel } from '../../model.ts';

/** Says during an entry that the agent is gone, and that what was typed stays. */
export function LinkLostNote() {
  const { frame } = useModel();
  const { title, next } = frame.words.value.frame.gone;
  return (
    <div class="notice tone-warning entry-failure" role="status">
      <Icon name="plug-zap" size={24} />
      <span>
        <strong>{title}</strong>
        <span class="notice-line">{next}</span>
      </span>
    </div>
  );
}
