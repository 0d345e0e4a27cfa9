import { useState } from 'preact/hooks';
import { Failure, LabDialog } from './lab-parts.tsx';
import { useLab } from './use-lab.ts';

const fixtures = ['demo', 'empty'] as const;

/** Resets the sandbox, after saying what will be lost. */
export function ResetDialog({ onClose }: { readonly onClose: () => void }) {
  const { lab, words } = useLab();
  const [chosen, setChosen] = useState<(typeof fixtures)[number]>('demo');
  return (
    <LabDialog
      id="lab-reset"
      icon="rotate-ccw"
      title={words.reset.title}
      onClose={onClose}
      confirm={{
        label: words.reset.confirm,
        isDanger: true,
        run: () =>
          void lab.act('lab.reset', { fixtures: chosen }).then((answer) => {
            if (answer !== null) onClose();
          }),
      }}
    >
      <fieldset class="lab-choices">
        <legend class="field-label">{words.reset.fixtures}</legend>
        {fixtures.map((name) => (
          <label key={name} class="situation tickable tickable-tile panel row gap-3">
            <input
              class="situation-radio"
              type="radio"
              name="fixtures"
              aria-label={words.reset[name].title}
              checked={chosen === name}
              onChange={() => setChosen(name)}
            />
            <span class="two-lines">
              <span class="situation-title">{words.reset[name].title}</span>
              <span class="situation-next">{words.reset[name].next}</span>
            </span>
          </label>
        ))}
      </fieldset>
      <div class="notice tone-warning lab-losses">
        <div>
          <strong>{words.reset.lost}</strong>
          <ul>
            {words.reset.losses.map((loss) => (
              <li key={loss}>{loss}</li>
            ))}
          </ul>
        </div>
      </div>
      <p class="quiet">{words.reset.stays}</p>
      <Failure />
    </LabDialog>
  );
}
