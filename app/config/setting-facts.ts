import { z } from 'zod';
import type { SettingKind, SettingSection } from '../../shared/till/settings-views.ts';

/** What there is to know of a setting beside its type and its default. */
export interface SettingFacts {
  /** Where it stands on the screen. */
  readonly section: SettingSection;
  /** How it is shown and typed there. */
  readonly kind: SettingKind;
  /** What it does, for store IT: a clause after its default. */
  readonly help: string;
  /** What stands after its flag (`PORT`): the commands that start the agent have one. */
  readonly flag?: string;
  /** It is read from standard input alone, and never told. */
  readonly isSecret?: true;
  /** A change is seen at once; that of every other setting holds from the next start on. */
  readonly holdsAtOnce?: true;
  /** It may stand in the file that store IT deploys, and nowhere else. */
  readonly managedOnly?: true;
  /** A change concerns what waits to be sent: it wants to be confirmed. */
  readonly concernsWaiting?: true;
}

const registry = z.registry<SettingFacts>();

/** A setting: its schema, and what there is to know of it. */
export function setting<Schema extends z.ZodType>(schema: Schema, facts: SettingFacts): Schema {
  registry.add(schema, facts);
  return schema;
}

/** Throws for a schema that is no setting. */
export function factsOf(schema: z.core.$ZodType): SettingFacts {
  const facts = registry.get(schema);
  if (facts === undefined) throw new Error('A setting was described without its facts');
  return facts;
}
