import { setTimeout as sleep } from 'node:timers/promises';
import type { RandomSource } from '../../shared/lib/random.ts';
import type { AgentReady } from '../support/program.ts';

interface ShopSale {
  readonly externalRef: string;
  readonly card: string;
  readonly amountMinor: number;
  isAcknowledged: boolean;
}

const counters = 4;
const pauseMs = 12;

/** A POS program with several counters that keeps the specification's rule: no answer, so the same reference again. */
export class Shop {
  readonly cards = ['LC-1001', 'LC-1002', 'LC-1009', 'LC-1010'];
  readonly sales: ShopSale[] = [];
  readonly #random: RandomSource;
  #isOpen = false;

  constructor(random: RandomSource) {
    this.#random = random;
  }

  /** Sells at all counters until the agent dies or the shop closes. */
  async sellTo(agent: AgentReady): Promise<void> {
    this.#isOpen = true;
    await Promise.all(Array.from({ length: counters }, () => this.#sellAtCounter(agent)));
  }

  close(): void {
    this.#isOpen = false;
  }

  /** Sends what never got an answer once more, as it was. */
  async repeatUnanswered(agent: AgentReady): Promise<void> {
    for (const sale of this.sales) if (!sale.isAcknowledged) await this.#send(agent, sale);
  }

  async #sellAtCounter(agent: AgentReady): Promise<void> {
    while (this.#isOpen) {
      const number = this.sales.length + 1;
      const sale: ShopSale = {
        externalRef: `CRASH-${number}`,
        card: this.cards[Math.floor(this.#random.next() * this.cards.length)] ?? 'LC-1001',
        amountMinor: 1_000 + number,
        isAcknowledged: false,
      };
      this.sales.push(sale);
      try {
        await this.#send(agent, sale);
      } catch {
        return;
      }
      await sleep(pauseMs);
    }
  }

  async #send(agent: AgentReady, sale: ShopSale): Promise<void> {
    const response = await fetch(`${agent.base_url}/transactions/earn`, {
      method: 'POST',
      headers: { authorization: `Bearer ${agent.token}`, 'content-type': 'application/json' },
      body: JSON.stringify({
        identifier: { loyalty_id: sale.card },
        external_ref: sale.externalRef,
        amount_minor: sale.amountMinor,
        currency: 'KWD',
      }),
    });
    if (response.status !== 202 && response.status !== 200) {
      throw new Error(`${sale.externalRef} was not taken: ${response.status} ${await response.text()}`);
    }
    await response.arrayBuffer();
    sale.isAcknowledged = true;
  }
}
