import BetterSqlite3, { type Database } from 'better-sqlite3';
import { better, defineQueue, type Queue } from 'plainjob';

const nothing = () => undefined;

/** plainjob writes a line for each job unless it is given a logger that does not. */
export const silentJobLogger = { error: nothing, warn: nothing, info: nothing, debug: nothing };

/** plainjob, set up as its own pages show: WAL and `synchronous=NORMAL`, which a power cut can take rows from. */
export function openPlainJobs(path: string): { readonly database: Database; readonly queue: Queue } {
  const database = new BetterSqlite3(path);
  return { database, queue: defineQueue({ connection: better(database), logger: silentJobLogger }) };
}
