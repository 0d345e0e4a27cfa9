import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import BetterSqlite3 from 'better-sqlite3';
import { placeOf } from '../../app/store/database/place.ts';
import { putFiles, takeFiles } from './frozen-set.ts';
import { tillFile } from './shop.ts';

export type Files = ReadonlyMap<string, Uint8Array>;

/**
 * A till's folder in which its database was always: one that is moved in would be taken for a copy (see identity.ts),
 * and is treated with more doubt than an upgrade in its own place gets.
 */
export class Home {
  readonly path = mkdtempSync(join(tmpdir(), 'tillbridge-upgrade-'));
  /** The frozen files, with this as their place. */
  readonly asFrozen: Files;

  constructor(files: Files) {
    putFiles(files, this.path);
    const database = new BetterSqlite3(this.database);
    try {
      database.prepare(`UPDATE meta SET value = ? WHERE key = 'place'`).run(placeOf(this.database));
      // Before it is closed: what was frozen in the log stays there.
      this.asFrozen = takeFiles(this.path);
    } finally {
      database.close();
    }
    this.putBack(this.asFrozen);
  }

  get database(): string {
    return join(this.path, tillFile);
  }

  /** While nothing has them open. The database itself stays the same file. */
  putBack(files: Files): void {
    for (const name of readdirSync(this.path)) {
      if (!files.has(name)) rmSync(join(this.path, name), { recursive: true });
    }
    putFiles(files, this.path);
  }

  remove(): void {
    rmSync(this.path, { recursive: true, force: true });
  }
}
