import { statSync } from 'node:fs';
import { basename } from 'node:path';
import { sandboxBooksPath } from '../machine/data-files.ts';
import { connect } from '../store/database/connect.ts';
import { type Finding, problem, unreadable } from './finding.ts';

/**
 * Customers whose history is no chain (docs/decisions/0042): a link that leads elsewhere than to the transaction before,
 * or the customer's link to the newest one. A link that is gone makes a history end early, which no page of it shows.
 */
const brokenHistories = `
  WITH links AS (
    SELECT customer_id, previous_position AS link, lag(position) OVER (PARTITION BY customer_id ORDER BY position) AS place
    FROM transactions WHERE customer_id IS NOT NULL
    UNION ALL
    SELECT customers.customer_id, last_position, newest
    FROM customers LEFT JOIN (SELECT customer_id, max(position) AS newest FROM transactions GROUP BY customer_id) AS ends
      ON ends.customer_id = customers.customer_id
  )
  SELECT DISTINCT customer_id FROM links WHERE link IS NOT place`;

const hasChains = `SELECT 1 FROM pragma_table_info('customers') WHERE name = 'last_position'`;

/** So many are named. */
const mostNamed = 5;

const advice =
  'Put a whole copy of the file back while the agent is stopped, or start the agent and start over in the sandbox lab. No sale of a till is lost by that';

/** The built-in sandbox's own data. A running agent lets nobody else read them. No finding when they are whole. */
export function checkSandboxBooks(dataDir: string): readonly Finding[] {
  const path = sandboxBooksPath(dataDir);
  const name = basename(path);
  if (statSync(path, { throwIfNoEntry: false })?.isFile() !== true) return [];
  try {
    const database = connect(path, { readonly: true, fileMustExist: true });
    try {
      const verdict = String(database.pragma('quick_check(1)', { simple: true }));
      if (verdict !== 'ok') return [problem('sandbox', `${name} is damaged: ${verdict}`, advice)];
      // The next start brings a file of an older version up to date.
      if (database.prepare(hasChains).pluck().get() === undefined) return [];
      const broken = database.prepare<[], string>(brokenHistories).pluck().all();
      if (broken.length === 0) return [];
      const named = broken.slice(0, mostNamed).join(', ');
      const more = broken.length > mostNamed ? ` and ${broken.length - mostNamed} more` : '';
      return [
        problem('sandbox', `${name} is damaged: transactions are missing in the history of ${named}${more}`, advice),
      ];
    } finally {
      database.close();
    }
  } catch (error) {
    return [unreadable('sandbox', name, error)];
  }
}
