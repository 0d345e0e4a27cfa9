import type { ComponentChildren } from 'preact';
import { leftToRight } from '../../shared/words/direction.ts';
import { type DigitKey, digitKeys } from '../components/digit-keys.ts';
import { Icon } from '../components/icon.tsx';
import { QrCode } from '../components/qr-code.tsx';
import { maskedPhone } from '../copy/format.ts';
import type { Visit } from './visit.ts';
import type { CustomerWords } from './words.ts';

interface VisitViewProps {
  readonly visit: Visit;
  readonly words: CustomerWords;
  readonly isOnline: boolean;
}

/** Shown while nobody is served: the keys to check in or to join, and the result. */
export function VisitView({ visit, words, isOnline }: VisitViewProps) {
  const step = visit.step.value;
  switch (step.kind) {
    case 'phone':
      return (
        <Keys
          visit={visit}
          words={words}
          title={words.collect}
          text={isOnline ? words.typePhone : words.problems.offline}
          act={words.checkIn}
        />
      );
    case 'code':
      return (
        <Keys
          visit={visit}
          words={words}
          title={words.codeTitle}
          text={words.codeNext(leftToRight(maskedPhone(step.phone)))}
          act={words.confirm}
        />
      );
    case 'unknown':
      return (
        <Said title={words.joinTitle} text={words.joinNext} name="unknown">
          <Problem visit={visit} words={words} />
          <Choice visit={visit} words={words} act={words.join} />
        </Said>
      );
    case 'joined':
      return (
        <Said title={words.joined} text={words.joinedNext} name="joined">
          <QrCode text={step.walletUrl} label={words.qr} />
          <button type="button" class="button button-primary cw-alone" onClick={visit.leave}>
            {words.done}
          </button>
        </Said>
      );
    case 'found':
      return (
        <Said title={words.found} text={words.foundNext} name="found">
          <span class="cw-seal">
            <Icon name="check" size={88} />
          </span>
        </Said>
      );
    case 'declined':
      return <Said title={words.thanks} text="" name="declined" />;
  }
}

interface KeysProps extends Omit<VisitViewProps, 'isOnline'> {
  readonly title: string;
  readonly text: string;
  readonly act: string;
}

function Keys({ visit, words, title, text, act }: KeysProps) {
  return (
    <main class="cw cw-two" data-customer={visit.step.value.kind}>
      <div class="cw-text">
        <h1>{title}</h1>
        <p>{text}</p>
        <output class="cw-field" dir="ltr" aria-live="off">
          <bdi>{inGroups(visit.typed.value)}</bdi>
          <i class="cw-caret" />
        </output>
        <Problem visit={visit} words={words} />
        <Choice visit={visit} words={words} act={act} />
      </div>
      <fieldset class="cw-pad" dir="ltr" aria-label={words.pad}>
        {digitKeys.map((key) => (
          <PadButton key={key} name={key} visit={visit} words={words} />
        ))}
      </fieldset>
    </main>
  );
}

interface PadButtonProps extends Omit<VisitViewProps, 'isOnline'> {
  readonly name: DigitKey;
}

function PadButton({ name, visit, words }: PadButtonProps) {
  const isAct = name === 'clear' || name === 'erase';
  return (
    <button
      type="button"
      class={isAct ? 'key cw-key cw-key-act' : 'key cw-key'}
      data-key={name}
      aria-label={name === 'erase' ? words.erase : undefined}
      onClick={() => visit.press(name)}
    >
      {name === 'erase' ? <Icon name="delete" size={34} /> : name === 'clear' ? words.clear : name}
    </button>
  );
}

/** The choice between yes and no, in buttons of the same size. */
function Choice({ visit, words, act }: Omit<VisitViewProps, 'isOnline'> & { readonly act: string }) {
  const isBusy = visit.isBusy.value;
  return (
    <div class="cw-buttons">
      <button type="button" class="button button-outline" onClick={visit.leave}>
        {words.noThanks}
      </button>
      <button type="button" class="button button-primary" aria-disabled={isBusy} onClick={() => void visit.goOn()}>
        {isBusy ? words.wait : act}
      </button>
    </div>
  );
}

function Problem({ visit, words }: Omit<VisitViewProps, 'isOnline'>) {
  const problem = visit.problem.value;
  return (
    <p class="cw-problem" role="alert">
      {problem !== null && (
        <>
          <Icon name="circle-alert" size={28} />
          {words.problems[problem]}
        </>
      )}
    </p>
  );
}

interface SaidProps {
  readonly title: string;
  readonly text: string;
  readonly name: string;
  readonly children?: ComponentChildren;
}

function Said({ title, text, name, children }: SaidProps) {
  return (
    <main class="cw cw-one cw-said" data-customer={name} aria-live="polite">
      <h1>{title}</h1>
      {text !== '' && <p>{text}</p>}
      {children}
    </main>
  );
}

function inGroups(digits: string): string {
  return digits.replace(/(\d{4})(?=\d)/g, '$1 ');
}
