import { type ReadonlySignal, type Signal, signal } from '@preact/signals';
import type { CancelTimer, Clock } from '../../shared/lib/clock.ts';
import type { TillReply } from '../../shared/till/api.ts';
import type { DisplayAnswers, DisplayCommand, displayCommands } from '../../shared/till/display-views.ts';
import type { DigitKey } from '../components/digit-keys.ts';
import { understandPhone } from '../enroll/phone.ts';
import type { CustomerWords } from './words.ts';

type Problem = keyof CustomerWords['problems'];

/** The step of a customer at the keys. It is hidden while the cashier serves a customer. */
type Step =
  | { readonly kind: 'phone' }
  | { readonly kind: 'found' }
  | { readonly kind: 'unknown'; readonly phone: string; readonly attempt: string }
  | { readonly kind: 'code'; readonly phone: string; readonly attempt: string }
  | { readonly kind: 'joined'; readonly walletUrl: string }
  | { readonly kind: 'declined' };

export interface Visit {
  readonly step: ReadonlySignal<Step>;
  readonly typed: ReadonlySignal<string>;
  readonly problem: ReadonlySignal<Problem | null>;
  readonly isBusy: ReadonlySignal<boolean>;
  readonly press: (key: DigitKey) => void;
  readonly goOn: () => Promise<void>;
  /** Ends the visit by "No thanks", "Done" and the like. */
  readonly leave: () => void;
  /** Forgets everything of the customer who was at the keys. */
  readonly end: () => void;
}

/** How long a step is shown before the page begins again for the next customer. */
const shownMs = { found: 6_000, declined: 3_000, joined: 60_000, typing: 45_000 } as const;
const mostDigits = 15;

interface VisitParts {
  readonly ask: <C extends DisplayCommand>(
    command: C,
    input: Parameters<(typeof displayCommands)[C]['parse']>[0] & object,
  ) => Promise<TillReply<DisplayAnswers[C]>>;
  readonly clock: Clock;
  readonly newId: () => string;
  readonly currency: () => string;
}

export function createVisit({ ask, clock, newId, currency }: VisitParts): Visit {
  const step: Signal<Step> = signal({ kind: 'phone' });
  const typed = signal('');
  const problem: Signal<Problem | null> = signal(null);
  const isBusy = signal(false);
  let round = 0;
  let cancelLeaving: CancelTimer = () => undefined;

  const end = (): void => {
    cancelLeaving();
    round += 1;
    step.value = { kind: 'phone' };
    typed.value = '';
    problem.value = null;
    isBusy.value = false;
  };
  const endAfter = (ms: number): void => {
    cancelLeaving();
    cancelLeaving = clock.setTimer(end, ms);
  };
  const go = (next: Step): void => {
    step.value = next;
    typed.value = '';
    problem.value = null;
    const { kind } = next;
    endAfter(kind === 'found' || kind === 'declined' || kind === 'joined' ? shownMs[kind] : shownMs.typing);
  };
  const fail = (reply: Extract<TillReply<unknown>, { ok: false }>): void => {
    problem.value = problemOf(reply);
    endAfter(shownMs.typing);
  };
  /** Drops the answer when the customer who asked has left meanwhile. */
  const asking = async <Answer>(
    question: Promise<TillReply<Answer>>,
    take: (answer: Answer) => void,
  ): Promise<void> => {
    const mine = round;
    isBusy.value = true;
    cancelLeaving();
    const reply = await question;
    if (mine !== round) return;
    isBusy.value = false;
    if (reply.ok) take(reply.value);
    else fail(reply);
  };

  const checkIn = async (): Promise<void> => {
    const phone = understandPhone(typed.value, currency())?.phone;
    if (phone === undefined) {
      problem.value = 'not_a_phone';
      return;
    }
    await asking(ask('display.check_in', { phone }), ({ outcome }) =>
      go(outcome === 'found' ? { kind: 'found' } : { kind: 'unknown', phone, attempt: newId() }),
    );
  };
  /** A second press after a lost answer goes on with the same enrollment. */
  const join = async (phone: string, attempt: string): Promise<void> => {
    await asking(ask('display.join', { attempt, phone }), (answer) => {
      if (answer.outcome === 'joined') go({ kind: 'joined', walletUrl: answer.wallet_url });
      else go(answer.outcome === 'known' ? { kind: 'found' } : { kind: 'code', phone, attempt });
    });
  };
  const sendCode = async (attempt: string): Promise<void> => {
    const code = typed.value;
    if (code.length < 4) {
      problem.value = 'wrong_code';
      return;
    }
    typed.value = '';
    await asking(ask('display.code', { attempt, code }), ({ wallet_url }) =>
      go({ kind: 'joined', walletUrl: wallet_url }),
    );
  };

  return {
    step,
    typed,
    problem,
    isBusy,
    end,
    press(key) {
      if (isBusy.value) return;
      problem.value = null;
      if (key === 'clear') typed.value = '';
      else if (key === 'erase') typed.value = typed.value.slice(0, -1);
      else typed.value = (typed.value + key).slice(0, mostDigits);
      endAfter(shownMs.typing);
    },
    async goOn() {
      const at = step.value;
      if (isBusy.value) return;
      if (at.kind === 'phone') await checkIn();
      if (at.kind === 'unknown') await join(at.phone, at.attempt);
      if (at.kind === 'code') await sendCode(at.attempt);
    },
    leave() {
      const { kind } = step.value;
      end();
      if (kind === 'phone' || kind === 'unknown' || kind === 'code') go({ kind: 'declined' });
    },
  };
}

function problemOf({ error }: Extract<TillReply<unknown>, { ok: false }>): Problem {
  if (error.service_code === 'OTP_INVALID') return error.details?.[0] === 'otp_incorrect' ? 'wrong_code' : 'spent_code';
  const { code } = error;
  if (code === 'invalid') return 'not_a_phone';
  if (code === 'offline' || code === 'not_sent') return 'offline';
  return code === 'not_now' ? 'too_often' : 'failed';
}
