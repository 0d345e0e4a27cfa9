import { type Signal, signal } from '@preact/signals';
import { createSale } from '../../renderer/sale/sale.ts';
import type { Sale } from '../../renderer/sale/sale-parts.ts';
import type { CardEntry } from '../../shared/contract/profile.ts';
import type { OperationView, TillState } from '../../shared/till/views.ts';
import { AskedApi } from './asked-api.ts';
import { ManualClock } from './manual-clock.ts';
import { ManualPresses } from './manual-presses.ts';
import { demoCards } from './ui-demo-cards.ts';
import { operationOf, profileOf, tillStateOf } from './ui-fake-agent.ts';

export const customerNames = {
  'LC-1001': 'Fatima Al-Sabah',
  'LC-1002': 'Yousef Al-Mutairi',
  'LC-1003': 'Sami Haddad',
} as const;
type Code = keyof typeof customerNames;
const cards: Readonly<Record<Code, CardEntry>> = {
  'LC-1001': demoCards.reward,
  'LC-1002': demoCards.cashback,
  'LC-1003': demoCards.stamp,
};

/** The state behind the sale's dialog, with answers that come when a test says so. */
export class SaleCounter {
  readonly api = new AskedApi();
  readonly clock = new ManualClock();
  readonly presses = new ManualPresses(this.clock);
  readonly till: Signal<TillState>;
  readonly sale: Sale;
  /** Another screen is shown. */
  readonly isHidden = signal(false);
  /** How often each sound was made. */
  failures = 0;
  successes = 0;
  /** What the agent has told of the operation that is under way. */
  told: OperationView | null = null;
  /** Its reversal is on its way. */
  isBeingUndone = false;
  /** The agent's time: the operations have just been saved. */
  nowMs = Date.parse(operationOf().saved_at);

  constructor() {
    const { api, clock, presses } = this;
    this.till = signal(tillStateOf({ has_managers: true, card_pattern: 'LC-[0-9]{4}' }));
    this.sale = createSale({
      api,
      clock,
      presses,
      newId: () => crypto.randomUUID(),
      sounds: {
        success: () => {
          this.successes += 1;
        },
        failure: () => {
          this.failures += 1;
        },
      },
      till: this.till,
      isElsewhere: () => false,
      isHidden: () => this.isHidden.value,
      holds: {
        reserve: (input) => api.call('hold.reserve', input),
        commit: (input) => api.call('hold.commit', input),
      },
      onSaved: (operation) => operation,
      earlierSpends: () => [],
      newest: () => this.told,
      isBeingUndone: () => this.isBeingUndone,
      nowMs: () => this.nowMs,
    });
  }

  /** The customer who was looked for last is found. */
  arrive(code: Code, ...theirs: readonly CardEntry[]) {
    const held = theirs.length > 0 ? [...theirs] : [cards[code]];
    const profile = profileOf({ customer_id: code, name: customerNames[code], cards: held });
    return this.api.newest('customer.find').answer({ source: 'service', profile });
  }

  /** As the listener tells of a scan: the field under its keys is put back, which is an input too. */
  scan(code: string): void {
    const { sale } = this;
    sale.keysBegin();
    const before = sale.entry.value;
    if (before !== null) {
      sale.typeAmount(code);
      sale.typeAmount(before.text);
    }
    sale.keysWereScan();
    sale.scan(code);
  }

  async inFront(code: Code, ...theirs: readonly CardEntry[]): Promise<void> {
    this.scan(code);
    await this.arrive(code, ...theirs);
  }

  /** The agent's time goes on. */
  pass(durationMs: number): void {
    this.nowMs += durationMs;
  }

  press(keys: string): void {
    for (const key of keys) this.sale.press(key as '1');
  }

  type(text: string): void {
    for (let length = 1; length <= text.length; length++) this.sale.type(text.slice(0, length), { byDigitKey: true });
  }

  /** What was asked to be saved. */
  earns() {
    return this.api.asked.filter(({ command }) => command === 'operation.earn').map(({ input }) => input);
  }

  /** Who was looked for. */
  finds() {
    return this.api.asked.filter(({ command }) => command === 'customer.find').map(({ input }) => input.identifier);
  }

  /** The sale that was asked for last is saved. */
  saved(customer_name: string) {
    const operation = operationOf({ customer_name, amount_minor: 1_110 });
    return this.api.newest('operation.earn').answer({ operation, duplicate: false });
  }

  /** Whose the entry is. */
  who() {
    return this.sale.entry.value?.entryFor.customerName;
  }
}
