import type { z } from 'zod';
import { prepareAll } from '../../sql/prepare.ts';
import type { ServiceDatabase } from './open.ts';
import type { stateNames } from './schema.ts';
import { stateStatements } from './statements/state.ts';

type StateName = (typeof stateNames)[number];

/** The few values that the service keeps one of: its settings, its clock, how often it was started, the shop's currency. */
export interface StateStore {
  /** @returns null when it was never written, or no longer has the shape asked for */
  read<S extends z.ZodType>(name: StateName, schema: S): z.output<S> | null;
  write(name: StateName, value: unknown): void;
}

export function createStateStore(database: ServiceDatabase): StateStore {
  const { find, put } = prepareAll(database, stateStatements);
  return {
    read(name, schema) {
      const row = find.get({ name });
      if (row === null) return null;
      const parsed = schema.safeParse(row.value);
      return parsed.success ? parsed.data : null;
    },
    write: (name, value) => void put.run({ name, value }),
  };
}
