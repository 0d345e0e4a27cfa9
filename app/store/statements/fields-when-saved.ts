import { except } from '../../sql/compile.ts';
import type { NewOperation } from '../schema/new-operation.ts';
import type { Operation } from '../schema/operation.ts';
import { innerColumns, laterColumns, operations } from '../schema/schema.ts';

type Field = Exclude<
  keyof Operation & keyof typeof operations.$inferSelect,
  'error' | 'newBalances' | 'updatedAtMs' | 'version'
>;
type Given = Field & keyof NewOperation;

const fields = except(operations, ...innerColumns, 'identifierKind', 'identifierValue');
const isLater = (name: string) => laterColumns.some((later) => later === name);

/** What an Operation has of its row right after the insert: what was given, and what the table itself puts in. */
export const fieldsWhenSaved = {
  given: Object.keys(fields).filter((name) => !isLater(name)) as Given[],
  initial: Object.fromEntries(
    Object.entries(fields).flatMap(([name, column]) => (isLater(name) ? [[name, column.default ?? null]] : [])),
  ) as Pick<Operation, Exclude<Field, Given>>,
};
