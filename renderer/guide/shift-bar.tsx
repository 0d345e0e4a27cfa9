import './guide.css';
import { useEffect, useState } from 'preact/hooks';
import { Icon } from '../components/icon.tsx';
import { useWords } from '../copy/use-words.ts';
import { bringAbout } from '../lab/bring-about.ts';
import type { Situation } from '../lab/situations.ts';
import { useModel } from '../model.ts';
import type { Shift } from './guide.ts';
import { ShiftDone } from './shift-done.tsx';
import { isStepDone, type ShiftStep, shiftSteps } from './steps.ts';

/** What the button of a step does to the sandbox's connection. Steps without a button are done on the sale screen. */
const turns: Partial<Record<ShiftStep, { readonly situation: Situation; readonly words: 'cut' | 'mend' | 'lose' }>> = {
  cut: { situation: 'cut', words: 'cut' },
  mend: { situation: 'normal', words: 'mend' },
  lose: { situation: 'answers_lost', words: 'lose' },
  settle: { situation: 'normal', words: 'mend' },
};

/** A practice shift at the foot of every screen: the next step, and a tick for each finished one. */
export function ShiftBar({ shift }: { readonly shift: Shift }) {
  const { api, frame, guide } = useModel();
  const words = useWords('guide').shift;
  const { number } = frame.format.value;
  const [isRefused, setIsRefused] = useState(false);
  const step = shiftSteps[shift.doneCount];
  useStepsDone(shift.doneCount);
  useEffect(() => setIsRefused(false), [step]);

  const turn = async (situation: Situation): Promise<void> => {
    setIsRefused((await bringAbout(api, situation)) !== null);
  };
  const end = (): void => {
    guide.endShift();
    // The connection may be cut for practice, so it is restored.
    void bringAbout(api, 'normal');
  };
  const action = step === undefined ? undefined : turns[step];
  return (
    <section class="shift" aria-label={words.region} data-step={step ?? 'finished'}>
      <ol class="shift-ticks row" aria-hidden="true">
        {shiftSteps.map((name, index) => (
          <li key={name} class="shift-tick" data-done={index < shift.doneCount ? '' : undefined}>
            {index < shift.doneCount && <Icon name="check" size={16} />}
          </li>
        ))}
      </ol>
      {step === undefined ? (
        <ShiftDone startedAtMs={shift.startedAtMs} onClose={end} />
      ) : (
        <>
          <p class="shift-step two-lines" role="status">
            <strong>
              <span class="shift-place">{words.place(number(shift.doneCount + 1), number(shiftSteps.length))}</span>
              {words.steps[step].title}
            </strong>
            <span class={isRefused ? 'shift-how field-error' : 'shift-how'}>
              {isRefused ? words.failed : words.steps[step].how}
            </span>
          </p>
          {action !== undefined && (
            <button type="button" class="button button-primary" onClick={() => void turn(action.situation)}>
              {words[action.words]}
            </button>
          )}
          <button type="button" class="button button-ghost" onClick={end}>
            {words.leave}
          </button>
        </>
      )}
    </section>
  );
}

/** Ticks the step as soon as the till shows what it asks for. */
function useStepsDone(place: number): void {
  const { api, frame, sale, guide } = useModel();
  const step = shiftSteps[place];
  const till = frame.till.value;
  const hasCustomer = sale.stage.value.kind === 'customer';
  useEffect(() => {
    if (step !== undefined && till !== null && isStepDone(step, { hasCustomer, till, operation: null }))
      guide.stepDone(place);
  }, [guide, place, step, till, hasCustomer]);
  useEffect(() => {
    if (step === undefined) return undefined;
    return api.onEvent((event) => {
      const now = frame.till.peek();
      if (event.type !== 'operation' || now === null) return;
      if (isStepDone(step, { hasCustomer: false, till: now, operation: event.operation })) guide.stepDone(place);
    });
  }, [api, frame, guide, place, step]);
}
