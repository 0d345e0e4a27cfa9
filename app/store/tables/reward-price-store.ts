import type { Database } from 'better-sqlite3';
import { z } from 'zod';
import { prepareAll } from '../../sql/prepare.ts';
import { metaStatements } from '../statements/meta.ts';

/** Under this name in `meta`. */
const rewardPricesName = 'reward_prices';
const pricesSchema = z.lazy(() => z.array(z.object({ card: z.string(), each: z.number().positive() })));

/** What a reward of a kind of card costs, in the card's points. */
export type RewardPrice = z.output<typeof pricesSchema>[number];

/** What rewards have cost that were given here. `write` runs inside a transaction of the Writer. */
export class RewardPriceStore {
  readonly #meta;

  constructor(database: Database) {
    this.#meta = prepareAll(database, metaStatements);
  }

  /** @returns none where they cannot be read: they are learned again */
  read(): readonly RewardPrice[] {
    const text = this.#meta.find.get({ key: rewardPricesName })?.value ?? null;
    try {
      const read = pricesSchema.safeParse(JSON.parse(text ?? '[]'));
      return read.success ? read.data : [];
    } catch {
      return [];
    }
  }

  write(prices: readonly RewardPrice[]): void {
    this.#meta.put.run({ key: rewardPricesName, value: JSON.stringify(prices) });
  }
}
