import { except } from '../../sql/compile.ts';
import type { NewOperation } from '../schema/new-operation.ts';
import type { Operation } from '../schema/operation.ts';
import { laterColumns, operations, untoldColumns } from '../schema/schema.ts';

type Told = Exclude<
  keyof Operation & keyof typeof operations.$inferSelect,
  'error' | 'newBalances' | 'updatedAtMs' | 'version'
>;
type Given = Told & keyof NewOperation;

const told = except(operations, ...untoldColumns, 'identifierKind', 'identifierValue');
const isLater = (name: string) => laterColumns.some((later) => later === name);

/** What an Operation has of its row right after the insert: what was given, and what the table itself puts in. */
export const fieldsWhenSaved = {
  given: Object.keys(told).filter((name) => !isLater(name)) as Given[],
  initial: Object.fromEntries(
    Object.entries(told).flatMap(([name, column]) => (isLater(name) ? [[name, column.default ?? null]] : [])),
  ) as Pick<Operation, Exclude<Told, Given>>,
};
