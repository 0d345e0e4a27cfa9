import type { z } from 'zod';
import { receivedErrorSchema } from '../../../shared/contract/errors.ts';
import { identifierKinds } from '../../../shared/contract/identifier.ts';
import { toldBalancesSchema } from '../../../shared/contract/profile.ts';
import type { RowOf } from '../../sql/statement.ts';
import type { NewOperation } from '../schema/new-operation.ts';
import type { Operation } from '../schema/operation.ts';
import { fieldsWhenSaved } from '../statements/fields-when-saved.ts';
import type { operationStatements } from '../statements/operations.ts';
import { transactionIdOf } from './reference.ts';

/** What an Operation is made from. */
export type OperationRow = RowOf<typeof operationStatements.byRowId>;

export function toOperation(row: OperationRow): Operation {
  return {
    ...row,
    transactionId: transactionIdOf(row.operationId),
    identifier: row.identifier === null ? null : identifierFrom(row.identifier),
    error: parsedOrNull(row.error, receivedErrorSchema),
    newBalances: parsedOrNull(row.newBalances, toldBalancesSchema),
  };
}

export function toOperationOrNull(row: OperationRow | null): Operation | null {
  return row === null ? null : toOperation(row);
}

function identifierFrom(text: string): Operation['identifier'] {
  const end = text.indexOf(':');
  const kind = identifierKinds.find((known) => known === text.slice(0, end));
  return kind === undefined ? null : { kind, value: text.slice(end + 1) };
}

/** A row as it stands right after its insert. */
export function newlySaved(row: NewOperation): Operation {
  const { identifierKind: kind, identifierValue: value } = row;
  return {
    ...picked(row, fieldsWhenSaved.given),
    ...fieldsWhenSaved.initial,
    requestedAtMs: Math.max(row.savedAtMs, row.tillTimeMs),
    updatedAtMs: row.savedAtMs,
    version: 1,
    transactionId: transactionIdOf(row.operationId),
    identifier: kind === null || value === null ? null : { kind, value },
    error: null,
    newBalances: null,
  };
}

function picked<Row extends object, Name extends keyof Row>(row: Row, names: readonly Name[]): Pick<Row, Name> {
  const part: Partial<Pick<Row, Name>> = {};
  for (const name of names) part[name] = row[name];
  return part as Pick<Row, Name>;
}

/** A value that is not of its form counts as absent; the row itself stays. */
function parsedOrNull<Schema extends z.ZodType>(value: unknown, schema: Schema): z.output<Schema> | null {
  if (value === null) return null;
  const parsed = schema.safeParse(value);
  return parsed.success ? parsed.data : null;
}
