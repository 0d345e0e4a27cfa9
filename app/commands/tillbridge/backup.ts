import { randomBytes } from 'node:crypto';
import { dirname, resolve } from 'node:path';
import { errorText } from '../../../shared/lib/error-code.ts';
import type { Mode } from '../../../shared/till/modes.ts';
import { openStoppedAudit } from '../../audit/open-audit.ts';
import { BackupFolderError, checkBackupFolder } from '../../backups/backup-files.ts';
import { noteLastBackup } from '../../backups/last-backup.ts';
import { hasStarted } from '../../config/last-start.ts';
import { goneDatabase } from '../../doctor/gone-database.ts';
import { isAgentAnswering } from '../../http/running-agent.ts';
import { systemClock } from '../../machine/clock.ts';
import { databasePath } from '../../machine/data-files.ts';
import { DataFolderError, DataFolderInUseError, lockDataFolder, lockWhenFree } from '../../machine/lock.ts';
import { systemRandom } from '../../machine/random.ts';
import { fileSecretStore, readOfficeSecret } from '../../machine/secrets.ts';
import { keptTillKey, readTillKey } from '../../machine/till-key.ts';
import {
  BackupDiskFullError,
  BackupError,
  type BackupTrust,
  backUp,
  readBackup,
  restoreBackup,
} from '../../store/copies/backup.ts';
import { requireWholeLog } from '../../store/copies/whole-log.ts';
import { ownerOf } from '../../store/files/known-databases.ts';
import { StoreError } from '../../store/versions/store-error.ts';
import { exitCodes } from '../exit-codes.ts';
import type { TillbridgeCommand } from './command.ts';
import { modeOf } from './mode-of.ts';
import {
  FullElsewhereError,
  folderWaitMs,
  OutOfReachError,
  refuseLostSecrets,
  requireDatabase,
} from './out-of-reach.ts';
import { print } from './print.ts';
import { restoreInWords, restoreResult, tookEverything } from './restore-result.ts';
import { storeIt } from './store-it.ts';
import { WrongUseError } from './wrong-use.ts';

export const backupCommand: TillbridgeCommand = {
  summary: 'back up a till while sales go on',
  about: `Copies the operations and their history into a file of its own. Sales may go on meanwhile.
Keys, tokens and people are not in it; customers' identifiers are: keep it as carefully as the till. Its folder has to be
there. OUT.mac is made beside it, which proves to a restore that this till made it: keep the two together.`,
  flags: [],
  words: ['OUT'],
  async run(given) {
    const { dataDir, json } = given;
    const mode = given.mode ?? (await modeOf(dataDir));
    const out = resolve(given.words[0] ?? '');
    requireDatabase(dataDir, mode, `${dataDir} has no database of ${mode} mode. Name another --data-dir or --mode.`);
    const nowMs = systemClock().now();
    await explained(() => checkBackupFolder(dirname(out)));
    const secrets = fileSecretStore(dataDir);
    await refuseLostSecrets(dataDir, secrets);
    const tillKey = await keptTillKey(secrets, randomBytes);
    await explained(() => requireWholeDatabase(dataDir, mode));
    const { operationCount } = await explained(() =>
      backUp(databasePath(dataDir, mode), out, { mode, nowMs, tillKey }),
    );
    const troubleOfNote = noted(() =>
      noteLastBackup(dataDir, mode, { made_at_ms: nowMs, file: out, operations: operationCount }),
    );
    print(
      json,
      { file: out, mode, operations: operationCount, is_noted: troubleOfNote === null },
      () => `${out}: ${operationCount} ${operationCount === 1 ? 'operation' : 'operations'} of ${mode} mode.\n`,
    );
    if (troubleOfNote !== null) {
      process.stderr.write(
        `The backup is made. The till does not know of it, because backups.json cannot be written: ${troubleOfNote}\n`,
      );
    }
    return exitCodes.well;
  },
};

export const restoreCommand: TillbridgeCommand = {
  summary: 'restore a backup while the agent is stopped',
  about: `Replaces the database with a backup. Nothing is lost: newer operations of the database before are kept, and the old file
stays beside it. Operations that may have been sent are checked, or sent again unchanged. Managers and cashiers stay those
of this till: a backup has none.

FILE.mac must prove that this till made the file and that nobody has changed it since. Backups of another till or of an
earlier version, and copied databases, have no such proof. With --from-elsewhere you accept their operations anyway.

Exit code 1: operations were left out or could not be read; the lines say which.
Exit code 3: the agent runs, or its folder cannot be used.`,
  flags: [{ name: 'from-elsewhere', value: null, help: 'accept a file that this till cannot prove to be its own' }],
  words: ['FILE'],
  async run(given) {
    const { dataDir, json, words, switches } = given;
    const mode = given.mode ?? (await modeOf(dataDir));
    const file = resolve(words[0] ?? '');
    const unlock = await explained(() => takeFolder(dataDir));
    try {
      const path = databasePath(dataDir, mode);
      const { operationCount, deviceId } = await explained(() => readBackup(file));
      // Before it is this till's own.
      const isAnotherTills = ownerOf(path, deviceId) === 'another';
      const wasGone = goneDatabase(dataDir, mode) !== null;
      const random = systemRandom();
      const secrets = fileSecretStore(dataDir);
      if (hasStarted(dataDir)) await refuseLostSecrets(dataDir, secrets, { isLockedHere: true });
      const tillKey = await readTillKey(secrets);
      const trust: BackupTrust = switches.has('from-elsewhere')
        ? { kind: 'from_elsewhere' }
        : { kind: 'proven', tillKey };
      const restored = await explained(() =>
        restoreBackup(file, path, { random, nowMs: systemClock().now(), mode, trust }),
      );
      const audit = await openStoppedAudit(dataDir, secrets);
      const isProven = trust.kind === 'proven';
      audit.note({ event: 'restored', mode, operations: operationCount, is_proven: isProven, by: storeIt() });
      if (restored.foreign.length > 0) audit.note({ event: 'schema_foreign', mode, objects: restored.foreign });
      audit.close();
      const result = restoreResult({ file, mode, operationCount, isAnotherTills, wasGone, restored });
      print(json, result, () => restoreInWords(result));
      return tookEverything(result) ? exitCodes.well : exitCodes.problemFound;
    } finally {
      unlock();
    }
  },
};

/**
 * What is missing from the files of a till that was killed would be missing from the backup, too. While somebody else has the
 * folder this is not looked at: an agent that runs in this mode has the log open and looks after it, and the log of one that
 * runs in the other mode may be written at this moment.
 */
function requireWholeDatabase(dataDir: string, mode: Mode): void {
  let unlock: () => void;
  try {
    unlock = lockDataFolder(dataDir);
  } catch (error) {
    if (error instanceof DataFolderInUseError) return;
    throw error;
  }
  try {
    requireWholeLog(databasePath(dataDir, mode));
  } catch (error) {
    if (!(error instanceof StoreError) || error.code !== 'damaged') throw error;
    const advice = 'Start the agent, which says what is missing. Then make the backup';
    throw new OutOfReachError(`Nothing was saved, because operations may be missing. ${error.message} ${advice}.`, {
      cause: error,
    });
  } finally {
    unlock();
  }
}

/** A backup that stands there whole is one, whoever knows of it. @returns why it is not noted; null when it is */
function noted(note: () => void): string | null {
  try {
    note();
    return null;
  } catch (error) {
    return errorText(error);
  }
}

/** Another command may have it for a moment; an agent that answers there has it until it is stopped. */
async function takeFolder(dataDir: string): Promise<() => void> {
  try {
    return lockDataFolder(dataDir);
  } catch (error) {
    if (!(error instanceof DataFolderInUseError)) throw error;
    if (await isAgentAnswering(dataDir, await readOfficeSecret(fileSecretStore(dataDir)))) throw error;
    return lockWhenFree(dataDir, { withinMs: folderWaitMs });
  }
}

async function explained<Value>(act: () => Value | Promise<Value>): Promise<Value> {
  try {
    return await act();
  } catch (error) {
    if (error instanceof BackupDiskFullError) throw new FullElsewhereError(`${error.message}.`, { cause: error });
    if (error instanceof BackupError) throw new WrongUseError(error.message, { cause: error });
    if (
      error instanceof BackupFolderError ||
      error instanceof DataFolderInUseError ||
      error instanceof DataFolderError ||
      error instanceof StoreError
    ) {
      throw new OutOfReachError(error.message, { cause: error });
    }
    throw error;
  }
}
