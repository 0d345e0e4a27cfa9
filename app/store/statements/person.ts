import { and, gte, isNotNull, lt, or } from 'drizzle-orm';
import { type Placeholders, pick, read, select } from '../../sql/compile.ts';
import { operations } from '../schema/schema.ts';

export const personStatements = {
  /** What tells who the customer was, of some rows. */
  personal: read(($: Placeholders<{ from: number; to: number }>) =>
    select(
      pick(
        operations,
        'rowId',
        'intent',
        'externalRef',
        'state',
        'savedAtMs',
        'identifierKind',
        'identifierValue',
        'customerName',
        'cardId',
        'serviceCustomerId',
        'serviceCardId',
        'body',
        'answer',
      ),
    )
      .from(operations)
      .where(
        and(
          gte(operations.rowId, $.from),
          lt(operations.rowId, $.to),
          or(isNotNull(operations.body), isNotNull(operations.identifierValue), isNotNull(operations.answer)),
        ),
      ),
  ),
};
