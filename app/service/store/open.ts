import Database from 'better-sqlite3';
import { errorCode, errorText } from '../../../shared/lib/error-code.ts';
import { connect } from '../../sql/connect.ts';
import { migrations } from './migrations.ts';
import { newDatabase } from './new-database.ts';

/** Where the service keeps its state: in memory until it ends, or in a file that survives it. */
export type ServiceData = { readonly kind: 'memory' } | { readonly kind: 'file'; readonly path: string };

export type ServiceDatabase = Database.Database;

/** Why a data file cannot be used, in words for the person who named it. */
export class DataFileError extends Error {
  override readonly name = 'DataFileError';
}

/** Marks the file as this service's own ("TBsv"), so that another program's database is never written into. */
const applicationId = 0x54427376;

/**
 * Opens the service's database and brings its schema up to date. A file is durable (WAL, `synchronous=FULL`) and held
 * by this process alone: parts of the state are kept in memory beside it.
 *
 * @throws DataFileError when the file cannot be used
 */
export function openServiceDatabase(data: ServiceData): ServiceDatabase {
  if (data.kind === 'memory') return prepare(openMemory(emptyDatabase()));
  try {
    return prepare(openFile(data.path));
  } catch (error) {
    if (error instanceof DataFileError) throw error;
    throw new DataFileError(`${data.path} cannot be used: ${describe(error)}`, { cause: error });
  }
}

/**
 * A database in memory that is read and written like a file, through a page cache. For `:memory:` SQLite keeps every
 * page in the cache itself, and looks through all of it at each commit that split a page: a commit would cost more the
 * more is kept. Such a file in memory holds up to 1 GiB (more than a million transactions).
 *
 * @param file the bytes of a database file that has no log
 */
export function openMemory(file: Buffer): ServiceDatabase {
  const database = new Database(file);
  database.pragma('locking_mode = EXCLUSIVE');
  // A miss only copies a page from memory; a small cache stays in the processor's.
  database.pragma('cache_size = -1000');
  return database;
}

function emptyDatabase(): Buffer {
  const seed = new Database(':memory:');
  const file = seed.serialize();
  seed.close();
  return file;
}

function openFile(path: string): ServiceDatabase {
  const database = connect(path, { timeout: 1000 });
  try {
    database.pragma('locking_mode = EXCLUSIVE');
    const owner = database.pragma('application_id', { simple: true });
    const isEmpty = database.prepare('SELECT count(*) FROM sqlite_schema').pluck().get() === 0;
    if (!isEmpty && owner !== applicationId) throw new DataFileError(`${path} is another program's database.`);
    database.pragma('journal_mode = WAL');
    // Without this the driver would drop to NORMAL, which loses acknowledged writes in a power cut.
    database.pragma('synchronous = FULL');
    return database;
  } catch (error) {
    database.close();
    throw error;
  }
}

function prepare(database: ServiceDatabase): ServiceDatabase {
  try {
    database.pragma('foreign_keys = ON');
    migrate(database);
    return database;
  } catch (error) {
    database.close();
    throw error;
  }
}

function migrate(database: ServiceDatabase): void {
  const done = Number(database.pragma('user_version', { simple: true }));
  if (done > migrations.length) throw new DataFileError('The data file was made by a newer version of this program.');
  if (done === migrations.length) return;
  // A step may rebuild a table: its references are checked afterwards, not row by row (a pragma does nothing inside).
  database.pragma('foreign_keys = OFF');
  database.transaction(() => {
    for (const step of done === 0 ? [newDatabase.sql] : migrations.slice(done)) database.exec(step);
    const broken = database.pragma('foreign_key_check');
    if (Array.isArray(broken) && broken.length > 0) throw new DataFileError('The data file has broken references.');
    database.pragma(`application_id = ${applicationId}`);
    database.pragma(`user_version = ${migrations.length}`);
  })();
  database.pragma('foreign_keys = ON');
}

function describe(error: unknown): string {
  const code = errorCode(error);
  if (code === 'SQLITE_BUSY' || code === 'SQLITE_LOCKED') return 'another process is using it';
  return errorText(error);
}
