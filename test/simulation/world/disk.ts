import { dirname } from 'node:path';
import BetterSqlite3, { type Database } from 'better-sqlite3';

/** What a COMMIT meets: a full disk, or one that does not write. What SQLite reports as failed, it has rolled back. */
type DiskTrouble = 'full' | 'refused';

/** A moment at which the agent dies: around the n-th commit from now. */
interface PlannedCrash {
  readonly side: 'before' | 'after';
  commitsLeft: number;
  readonly crash: () => void;
}

const plentyBytes = 50_000_000_000;

/** The disk under one till's data folder, as the database driver meets it. */
export class Disk {
  trouble: DiskTrouble | null = null;
  plannedCrash: PlannedCrash | null = null;
  /** So many commits have failed. */
  failures = 0;
  readonly #folder: string;
  readonly #databases = new Set<Database>();

  constructor(folder: string) {
    installDriver();
    this.#folder = folder;
    disks.set(folder, this);
  }

  get freeBytes(): number {
    return this.trouble === 'full' ? 0 : plentyBytes;
  }

  opened(database: Database): void {
    this.#databases.add(database);
  }

  commit<Result>(run: () => Result): Result {
    const planned = this.plannedCrash;
    if (planned !== null) planned.commitsLeft -= 1;
    if (planned !== null && planned.commitsLeft <= 0) {
      this.plannedCrash = null;
      if (planned.side === 'before') {
        planned.crash();
        throw sqliteError('the program was killed', 'SQLITE_IOERR');
      }
      const result = run();
      planned.crash();
      return result;
    }
    if (this.trouble === null) return run();
    this.failures += 1;
    throw this.trouble === 'full'
      ? sqliteError('database or disk is full', 'SQLITE_FULL')
      : sqliteError('disk I/O error', 'SQLITE_IOERR_FSYNC');
  }

  /** Closes what killed programs have left open. */
  end(): void {
    disks.delete(this.#folder);
    for (const database of this.#databases) if (database.open) database.close();
  }
}

const disks = new Map<string, Disk>();
let isInstalled = false;

function sqliteError(message: string, code: string): Error {
  return new BetterSqlite3.SqliteError(message, code);
}

/** Puts the simulated disks between the database driver and whoever commits with a statement of its own. */
function installDriver(): void {
  if (isInstalled) return;
  isInstalled = true;
  // oxlint-disable-next-line typescript/unbound-method -- it is called with its own database below
  const { prepare } = BetterSqlite3.prototype;
  Object.defineProperty(BetterSqlite3.prototype, 'prepare', {
    value(this: Database, source: string) {
      const statement = prepare.call(this, source);
      const disk = disks.get(dirname(this.name));
      if (disk === undefined) return statement;
      disk.opened(this);
      if (source !== 'COMMIT') return statement;
      // oxlint-disable-next-line typescript/unbound-method -- it is called with its own statement below
      const { run } = statement;
      // Configurable: others may stand before the same statement.
      const value = (): unknown => disk.commit(() => Reflect.apply(run, statement, []));
      Object.defineProperty(statement, 'run', { value, configurable: true, writable: true });
      return statement;
    },
  });
}
