import { FirstIcon } from '../components/first-icon.tsx';
import { useModel } from '../model.ts';

/**
 * Covers the screen while the page has no agent, because nothing could be saved. It appears after a moment, so that a
 * short loss is not seen.
 */
export function LinkLost() {
  const { frame } = useModel();
  const { title, next } = frame.words.value.frame.gone;
  return (
    <div class="link-lost">
      <div class="link-lost-card panel stack gap-3" role="alert">
        <span class="tile tile-large tone-warning">
          <FirstIcon name="plug-zap" size={28} />
        </span>
        <h2 class="title">{title}</h2>
        <p class="quiet">{next}</p>
        <span class="progress-line" aria-hidden="true" />
      </div>
    </div>
  );
}
