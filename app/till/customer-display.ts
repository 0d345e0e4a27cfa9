import type { z } from 'zod';
import { validate } from '../../shared/contract/problems.ts';
import { assertNever } from '../../shared/lib/assert-never.ts';
import type { CancelTimer, Clock } from '../../shared/lib/clock.ts';
import { dropOldest } from '../../shared/lib/drop-oldest.ts';
import { minuteMs } from '../../shared/lib/durations.ts';
import type { TillReply } from '../../shared/till/api.ts';
import {
  type DisplayAnswers,
  type DisplayCommand,
  type DisplayState,
  type DisplayView,
  displayCommands,
} from '../../shared/till/display-views.ts';
import { enrollTemplateOf } from '../config/enroll-template.ts';
import type { AgentCore } from '../core/agent-core.ts';
import { findCustomer } from './find-customer.ts';
import { failed, refusedInput, succeeded } from './replies.ts';
import { enroll, verify } from './writes.ts';

/** A customer who checked in at the customers' screen. */
interface CheckIn {
  readonly id: string;
  readonly phone: string;
}

/** How often the page may ask. All customers use one page, so they share these limits. */
const allowed = {
  checkIn: { count: 10, withinMs: minuteMs },
  join: { count: 5, withinMs: 10 * minuteMs },
  code: { count: 15, withinMs: 10 * minuteMs },
} as const;
/** When the cashier's page is silent for this long, its customer has left and is no longer shown. */
const forgetAfterMs = 5 * minuteMs;
/** A customer who checked in and was not served within this time has left. */
const checkInMs = 2 * minuteMs;
const nobody: DisplayView = { kind: 'nobody' };
const mostAttempts = 16;

interface CustomerDisplayOptions {
  readonly core: AgentCore;
  /** The machine's own clock, because a tester may move the sandbox's. */
  readonly clock: Clock;
  readonly newId: () => string;
  /** Called when a customer checked in, for the cashier's screen. */
  readonly onCheckIn: () => void;
  readonly onFault: (error: unknown) => void;
}

interface Attempt {
  readonly phone: string;
  readonly enrollmentId: string | null;
}

/**
 * The customers' screen. It shows what the cashier's page sends, and has three commands to the agent. It can do nothing
 * else (decision 0038).
 */
export class CustomerDisplay {
  readonly #options: CustomerDisplayOptions;
  readonly #listeners = new Set<(event: object) => void>();
  readonly #asked: Record<keyof typeof allowed, readonly number[]> = { checkIn: [], join: [], code: [] };
  readonly #attempts = new Map<string, Attempt>();
  readonly #unsubscribe: () => void;
  /** What each page told last. */
  readonly #toldBy = new WeakMap<object, DisplayView>();
  #view: DisplayView = nobody;
  /** The page whose customer is shown, or was shown last. */
  #shownBy: object | null = null;
  #checkIn: CheckIn | null = null;
  /** The state that pages were sent last, as text. */
  #sentState = '';
  #cancelForgetting: CancelTimer = () => undefined;
  #cancelCheckIn: CancelTimer = () => undefined;

  constructor(options: CustomerDisplayOptions) {
    this.#options = options;
    this.#unsubscribe = options.core.onChange((change) => {
      if (change.type === 'status') this.#tell();
    });
  }

  get checkIn(): CheckIn | null {
    return this.#checkIn;
  }

  /**
   * Shows what the cashier's page sends. When the customer of another page was shown last, a page shows a new customer
   * or one whom it serves now. Other news of a customer whom it merely left in front is not shown to the next one.
   *
   * @param page its connection
   */
  show(view: DisplayView, page: object): void {
    const before = this.#toldBy.get(page) ?? null;
    this.#toldBy.set(page, view);
    if (![null, page].includes(this.#shownBy) && !isTheirTurn(view, { before, shown: this.#view })) return;
    this.#shownBy = page;
    this.#put(view);
  }

  /** Takes the customer of this page off the screen. The customer of another page stays shown. */
  hide(page: object): void {
    if (page === this.#shownBy) this.#put(nobody);
  }

  /** The page is closed. Whatever another page tells next is shown: it may be the only one left. */
  pageGone(page: object): void {
    this.hide(page);
    if (page === this.#shownBy) this.#shownBy = null;
  }

  /** A page takes a check-in over. @returns false when another one was first, or the customer has left */
  taken(id: string): boolean {
    if (this.#checkIn?.id !== id) return false;
    this.#setCheckIn(null);
    return true;
  }

  onEvent(listener: (event: object) => void): () => void {
    this.#listeners.add(listener);
    // Changes while no page was there were not sent, so the next state is always sent.
    this.#sentState = '';
    return () => this.#listeners.delete(listener);
  }

  /** Answers any `{command, input}` of the customers' page. Never rejects. */
  async handle(message: { readonly command?: unknown; readonly input?: unknown }): Promise<TillReply<unknown>> {
    const { command, input } = message;
    if (!isDisplayCommand(command))
      return failed('invalid', "The customer's screen may not ask this.", { field: 'command' });
    try {
      return await this.#answer(command, input);
    } catch (error) {
      this.#options.onFault(error);
      return failed('agent_gone', 'The agent has a fault. Its log has the details.');
    }
  }

  close(): void {
    this.#unsubscribe();
    this.#cancelForgetting();
    this.#cancelCheckIn();
    this.#listeners.clear();
  }

  async #answer(command: DisplayCommand, input: unknown): Promise<TillReply<DisplayAnswers[DisplayCommand]>> {
    switch (command) {
      case 'display.read':
        return succeeded(this.#state());
      case 'display.check_in':
        return checked(displayCommands[command], input, ({ phone }) => this.#checkInBy(phone));
      case 'display.join':
        return checked(displayCommands[command], input, (asked) => this.#join(asked));
      case 'display.code':
        return checked(displayCommands[command], input, (asked) => this.#code(asked));
      default:
        return assertNever(command);
    }
  }

  async #checkInBy(phone: string): Promise<TillReply<DisplayAnswers['display.check_in']>> {
    if (!this.#mayAsk('checkIn')) return tooOften;
    const found = await findCustomer(this.#options.core, { phone });
    if (found.ok) {
      this.#setCheckIn({ id: this.#options.newId(), phone });
      return succeeded({ outcome: 'found' });
    }
    return found.error.code === 'customer_not_found'
      ? succeeded({ outcome: 'unknown' })
      : withoutDetails(found.error.code);
  }

  async #join({
    attempt,
    phone,
  }: z.output<(typeof displayCommands)['display.join']>): Promise<TillReply<DisplayAnswers['display.join']>> {
    if (!this.#mayAsk('join')) return tooOften;
    const { core, newId } = this.#options;
    const { template_id } = enrollTemplateOf(core.settings.enroll_templates[0] ?? '');
    const reply = await enroll(core, {
      operation_id: newId(),
      // Another phone is another enrollment. With the same reference the service would go on with the first phone.
      external_ref: `enroll-${attempt}-${phone.replace(/\D/g, '').slice(-4)}`,
      phone,
      ...(template_id === '' ? {} : { template_id }),
    });
    if (!reply.ok) return withoutDetails(reply.error.code);
    switch (reply.value.status) {
      case 'awaiting_otp':
        this.#remember(attempt, { phone, enrollmentId: reply.value.enrollment_id });
        return succeeded({ outcome: 'code_sent' });
      case 'enrolled':
        return this.#joined(phone, reply.value.wallet_install_url);
      case 'already_enrolled':
        this.#setCheckIn({ id: newId(), phone });
        return succeeded({ outcome: 'known' });
      default:
        return assertNever(reply.value);
    }
  }

  async #code({
    attempt,
    code,
  }: z.output<(typeof displayCommands)['display.code']>): Promise<TillReply<DisplayAnswers['display.code']>> {
    if (!this.#mayAsk('code')) return tooOften;
    const begun = this.#attempts.get(attempt);
    if (begun === undefined || begun.enrollmentId === null) return failed('invalid', 'No code was asked for.');
    const reply = await verify(this.#options.core, {
      operation_id: this.#options.newId(),
      enrollment_id: begun.enrollmentId,
      otp: code,
      customer_name: null,
    });
    if (reply.ok) return this.#joined(begun.phone, reply.value.wallet_install_url);
    return reply.error.service_code === 'OTP_INVALID'
      ? failed('refused', 'The code was not taken.', {
          service_code: 'OTP_INVALID',
          details: reply.error.details?.slice(0, 1) ?? [],
        })
      : withoutDetails(reply.error.code);
  }

  #joined(phone: string, walletUrl: string): TillReply<DisplayAnswers['display.code']> {
    this.#setCheckIn({ id: this.#options.newId(), phone });
    return succeeded({ outcome: 'joined', wallet_url: walletUrl });
  }

  #remember(attempt: string, begun: Attempt): void {
    this.#attempts.set(attempt, begun);
    dropOldest(this.#attempts, mostAttempts);
  }

  #mayAsk(what: keyof typeof allowed): boolean {
    const { count, withinMs } = allowed[what];
    const nowMs = this.#options.clock.monotonicMs();
    const recent = this.#asked[what].filter((atMs) => nowMs - atMs < withinMs);
    const may = recent.length < count;
    this.#asked[what] = may ? [...recent, nowMs] : recent;
    return may;
  }

  #setCheckIn(checkIn: CheckIn | null): void {
    this.#cancelCheckIn();
    this.#checkIn = checkIn;
    if (checkIn !== null) this.#cancelCheckIn = this.#options.clock.setTimer(() => this.#setCheckIn(null), checkInMs);
    this.#options.onCheckIn();
  }

  #put(view: DisplayView): void {
    this.#cancelForgetting();
    this.#view = view.kind === 'customer' ? forTheQueue(view) : view;
    if (view.kind !== 'nobody') {
      this.#cancelForgetting = this.#options.clock.setTimer(() => this.#put(nobody), forgetAfterMs);
    }
    this.#tell();
  }

  #state(): DisplayState {
    const { core } = this.#options;
    return {
      view: this.#view,
      locale: core.settings.locale,
      shop: core.settings.shop_name ?? core.settings.device_name,
      currency: core.settings.currency,
      is_online: core.status().connection.state === 'online',
    };
  }

  #tell(): void {
    if (this.#listeners.size === 0) return;
    const state = this.#state();
    const text = JSON.stringify(state);
    if (text === this.#sentState) return;
    this.#sentState = text;
    for (const listener of this.#listeners) listener({ type: 'state', state });
  }
}

async function checked<Input extends z.ZodType, Answer>(
  schema: Input,
  given: unknown,
  answer: (input: z.output<Input>) => Promise<TillReply<Answer>>,
): Promise<TillReply<Answer>> {
  const input = validate(schema, given);
  return input.kind === 'valid' ? answer(input.value) : refusedInput(input.problems);
}

const tooOften = failed('not_now', 'Asked too often. Wait a minute.');

/** A failure without any fact about a customer, because anybody may have asked. */
function withoutDetails(code: Parameters<typeof failed>[0]): TillReply<never> {
  return failed(code, 'It was not done.');
}

/**
 * Whether a page takes the screen over from another one.
 *
 * @param at.before what the page told before; null for a page that has just connected, maybe again
 */
function isTheirTurn(
  view: DisplayView,
  at: { readonly before: DisplayView | null; readonly shown: DisplayView },
): boolean {
  const { before, shown } = at;
  if (view.kind === 'nobody') return false;
  if (before === null) return shown.kind === 'nobody';
  if (before.kind === 'nobody') return true;
  const isTyped = view.sale !== null && view.sale.amount_minor !== before.sale?.amount_minor;
  return isTyped || (view.happened !== null && before.happened === null);
}

/** What everybody before the screen may read: only an initial, until a cashier confirms the customer. */
function forTheQueue(view: Extract<DisplayView, { kind: 'customer' }>): DisplayView {
  const name = firstName(view.name);
  if (view.is_confirmed) return { ...view, name };
  const [initial] = name ?? '';
  const theirs = { balance: null, progress: null, rewards: [], happened: null, is_kept: false };
  return { ...view, ...theirs, name: initial === undefined ? null : `${initial}.` };
}

/** The first word of a name. Null when it may be a phone or an address, which some customers have as their name. */
function firstName(name: string | null): string | null {
  const first = name?.trim().split(/\s+/)[0] ?? '';
  return first === '' || first.includes('@') || /\p{Nd}{4}/u.test(first) ? null : first.slice(0, 40);
}

function isDisplayCommand(name: unknown): name is DisplayCommand {
  return typeof name === 'string' && Object.hasOwn(displayCommands, name);
}
