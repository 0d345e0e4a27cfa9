import { and, desc, gt, inArray, or, sql } from 'drizzle-orm';
import { intentsOfHistory } from '../../../shared/machines/operation-intents.ts';
import { type Placeholders, read, select } from '../../sql/compile.ts';
import { operationColumns } from '../schema/operation-columns.ts';
import { operations } from '../schema/schema.ts';

/** What a customer is known by: `loyalty_id:LC-1001` and card ids, each list as JSON. */
interface Theirs {
  readonly afterRowId: number;
  readonly names: string;
  readonly cards: string;
  readonly limit: number;
}

const isAmongCards = (column: typeof operations.cardId | typeof operations.serviceCardId, $: Placeholders<Theirs>) =>
  inArray(column, sql`(SELECT value FROM json_each(${$.cards}))`);

export const customerRowStatements = {
  newest: read(($: Placeholders<Theirs>) =>
    select(operationColumns)
      .from(operations)
      .where(
        and(
          gt(operations.rowId, $.afterRowId),
          inArray(operations.intent, intentsOfHistory),
          or(
            sql`${operations.identifierKind} || ':' || ${operations.identifierValue} IN (SELECT value FROM json_each(${$.names}))`,
            isAmongCards(operations.cardId, $),
            isAmongCards(operations.serviceCardId, $),
          ),
        ),
      )
      .orderBy(desc(operations.rowId))
      .limit($.limit),
  ),
};
