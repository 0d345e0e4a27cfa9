import './guide.css';
import { DialogHead } from '../components/dialog-parts.tsx';
import { Modal } from '../components/modal.tsx';
import { useWords } from '../copy/use-words.ts';
import { useModel } from '../model.ts';

/** The names of the keys as they are printed on the keyboard, in every language. */
const keys = [
  ['find', ['Enter']],
  ['type', ['0', '9']],
  ['walk', ['↑', '↓']],
  ['card', ['←', '→']],
  ['leave', ['Esc']],
  ['help', ['?', 'F1']],
] as const;

/** Answers and a list of keys, for a cashier who is alone with a queue. */
export function HelpDialog() {
  const { frame, guide } = useModel();
  const words = useWords('guide').help;
  const till = frame.till.value;
  const canPractise = till?.mode === 'sandbox' && till.lab !== null && guide.shift.value === null;
  return (
    <Modal titleId="help-title" look="help" onLeave={guide.closeHelp}>
      <DialogHead titleId="help-title" title={words.title} icon="circle-help" tone="info" />
      <div class="help-body">
        <section class="stack gap-3" aria-labelledby="help-answers">
          <h3 id="help-answers" class="section-title">
            {words.answersTitle}
          </h3>
          <dl class="help-answers stack gap-3">
            {words.answers.map(({ when, doThis }) => (
              <div key={when} class="two-lines">
                <dt>{when}</dt>
                <dd>{doThis}</dd>
              </div>
            ))}
          </dl>
        </section>
        <section class="stack gap-3" aria-labelledby="help-keys">
          <h3 id="help-keys" class="section-title">
            {words.keysTitle}
          </h3>
          <dl class="help-keys">
            {keys.map(([does, caps]) => (
              <div key={does} class="help-key row gap-3">
                <dt class="row gap-1" dir="ltr">
                  {caps.map((key) => (
                    <kbd key={key}>{key}</kbd>
                  ))}
                </dt>
                <dd>{words.keys[does]}</dd>
              </div>
            ))}
          </dl>
        </section>
      </div>
      <div class="entry-foot">
        {canPractise && (
          <button
            type="button"
            class="button button-outline button-large"
            onClick={() => {
              guide.closeHelp();
              guide.startShift();
              frame.show('sale');
            }}
          >
            {words.practise}
          </button>
        )}
        <button type="button" class="button button-primary button-large" data-first="" onClick={guide.closeHelp}>
          {words.close}
        </button>
      </div>
    </Modal>
  );
}
