import type { z } from 'zod';
import type { ServiceDatabase } from './open.ts';

export type StateName = 'settings' | 'clock' | 'starts' | 'currency';

/** The few values that the service keeps one of: its settings, its clock, how often it was started, the shop's currency. */
export interface StateStore {
  /** @returns null when it was never written, or no longer has the shape asked for */
  read<S extends z.ZodType>(name: StateName, schema: S): z.output<S> | null;
  write(name: StateName, value: unknown): void;
}

export function createStateStore(database: ServiceDatabase): StateStore {
  const select = database.prepare<[StateName], { value: string }>('SELECT value FROM state WHERE name = ?');
  const upsert = database.prepare<[StateName, string]>(
    'INSERT INTO state (name, value) VALUES (?, ?) ON CONFLICT (name) DO UPDATE SET value = excluded.value',
  );
  return {
    read(name, schema) {
      const row = select.get(name);
      if (row === undefined) return null;
      const parsed = schema.safeParse(JSON.parse(row.value));
      return parsed.success ? parsed.data : null;
    },
    write(name, value) {
      upsert.run(name, JSON.stringify(value));
    },
  };
}
