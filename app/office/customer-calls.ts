import { z } from 'zod';
import { text } from '../../shared/contract/primitives.ts';
import { toInstant } from '../../shared/lib/clock.ts';
import { operationStates } from '../../shared/machines/operation.ts';
import { modes } from '../../shared/till/modes.ts';
import { personNameKinds } from '../operations/personal-data/person.ts';
import type { PersonReport } from '../operations/personal-data/person-data.ts';
import { type PersonalOperation, personalParts } from '../operations/personal-data/person-search.ts';
import { asker, type OfficeSource, officeCall } from './office-call.ts';

const personName = z.object({ kind: z.enum(personNameKinds), value: text });
const personalOperation = z.object({
  external_ref: z.string(),
  intent: z.string(),
  state: z.enum(operationStates),
  saved_at: z.iso.datetime(),
  /** What of it tells who the customer was. */
  holds: z.array(z.enum(personalParts)),
  /** The name that it is found by, also when nothing ties it to the others any more. */
  found_by: personName,
});
export type ShownPersonalOperation = z.output<typeof personalOperation>;
const personReport = z.object({
  mode: z.enum(modes),
  database: z.string(),
  names: z.array(personName),
  operations: z.array(personalOperation),
  /** Of the time without a line. */
  profiles: z.int(),
  /** References of operations whose request nobody can read. */
  unreadable: z.array(z.string()),
});

/** What store IT asks of what is kept about customers. */
export const customerCalls = {
  'profiles.erase': officeCall({
    input: z.object(asker),
    /** `not_reached`: files of the data folder in which something may be left. */
    answer: z.object({ erased: z.int(), not_reached: z.array(z.string()) }),
    async reply({ by = null }, { source }) {
      const { erased, notReached } = await source.eraseKeptProfiles(by);
      return { erased, not_reached: [...notReached] };
    },
  }),
  /** One person, in the agent's own database. */
  'customer.show': officeCall({
    input: personName,
    answer: personReport,
    reply: async (name, { source }) => reportView(await source.persons.show(name), source),
  }),
  'customer.erase': officeCall({
    input: personName.extend({ ...asker, elsewhere: z.int().min(0) }),
    /** `log_left`: another program reads the database, and something may be left in its log. `gap_left`: the disk is full, and in the gaps of its file. */
    answer: personReport.extend({
      stays: z.array(personalOperation),
      log_left: z.boolean(),
      gap_left: z.boolean(),
    }),
    async reply({ kind, value, by = null, elsewhere }, { source }) {
      const erasure = await source.persons.erase({ kind, value }, { by, elsewhere });
      const stays = erasure.stays.map(personalOperationView);
      return { ...reportView(erasure, source), stays, log_left: erasure.isLogLeft, gap_left: erasure.isGapLeft };
    },
  }),
};

function reportView(
  { names, operations, profiles, unreadable }: PersonReport,
  { settings }: Pick<OfficeSource, 'settings'>,
): z.output<typeof personReport> {
  return {
    mode: settings.mode,
    database: `${settings.mode}.sqlite`,
    names: [...names],
    operations: operations.map(personalOperationView),
    profiles: profiles.length,
    unreadable: [...unreadable],
  };
}

export function personalOperationView(operation: PersonalOperation): ShownPersonalOperation {
  const { externalRef: external_ref, intent, state, savedAtMs, holds, foundBy } = operation;
  return { external_ref, intent, state, saved_at: toInstant(savedAtMs), holds: [...holds], found_by: { ...foundBy } };
}
