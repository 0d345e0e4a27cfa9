import './first-run.css';
import { useEffect, useRef, useState } from 'preact/hooks';
import type { Mode } from '../../shared/till/modes.ts';
import { Icon, type IconName } from '../components/icon.tsx';
import { useWords } from '../copy/use-words.ts';
import { useModel } from '../model.ts';

const choices: readonly { readonly mode: Mode; readonly icon: IconName }[] = [
  { mode: 'sandbox', icon: 'flask-conical' },
  { mode: 'production', icon: 'store' },
];

/** The first screen of a new till, which asks what the till is for. Until then nothing is sold. */
export function FirstRun() {
  const { api, frame } = useModel();
  const words = useWords('first-run');
  const [isFailed, setIsFailed] = useState(false);
  const title = useRef<HTMLHeadingElement>(null);
  useEffect(() => title.current?.focus({ preventScroll: true }), []);

  const choose = async (mode: Mode): Promise<void> => {
    // Production needs an address and a key first; a till with managers asks for a PIN first.
    if (mode === 'production' || frame.till.value?.has_managers === true) {
      frame.show('settings');
      return;
    }
    setIsFailed(false);
    const reply = await api.call('settings.change', { patch: { mode }, confirmed: true });
    setIsFailed(!reply.ok || reply.value.kind !== 'saved');
  };

  return (
    <main class="page first-run stack gap-5" data-screen="first-run">
      <header class="stack gap-2">
        <h1 class="title" tabIndex={-1} ref={title}>
          {words.title}
        </h1>
        <p class="quiet">{words.about}</p>
      </header>
      <div class="first-run-choices">
        {choices.map(({ mode, icon }) => (
          <button
            key={mode}
            type="button"
            class="first-run-choice panel stack gap-3"
            data-mode={mode}
            onClick={() => void choose(mode)}
          >
            <span class="tile tile-large tone-info">
              <Icon name={icon} size={28} />
            </span>
            <strong>{words.modes[mode].title}</strong>
            <span class="quiet">{words.modes[mode].next}</span>
          </button>
        ))}
      </div>
      {isFailed && (
        <p class="field-note field-error" role="alert">
          <Icon name="circle-alert" size={16} />
          {words.failed}
        </p>
      )}
      <p class="quiet">{words.later}</p>
    </main>
  );
}
