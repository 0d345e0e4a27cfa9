import type { Mode } from '../../shared/till/modes.ts';
import type { Audit, AuditEvent } from '../audit/audit-events.ts';
import { AuditLog } from '../audit/audit-log.ts';
import type { Settings } from '../config/settings.ts';
import type { PeopleSealing, SealOptions } from '../core/begin-seals.ts';
import { systemClock } from '../machine/clock.ts';
import { databasePath } from '../machine/data-files.ts';
import type { Log } from '../machine/log.ts';
import type { SecretStore } from '../machine/secrets.ts';
import { areSealsBegun, knownPeopleVersion, notePeopleVersion, noteSealsBegun } from '../machine/till-key.ts';
import { otherMode } from '../people/till-managers.ts';
import { beginPeopleBeside } from '../store/copies/other-databases.ts';
import type { PeopleProof } from '../store/people/people-roll.ts';

interface ProofStart {
  readonly dataDir: string;
  readonly settings: Settings;
  readonly version: string;
  readonly log: Log;
  readonly secrets: SecretStore;
}

/** What the operations of a mode are sealed with, and whether they have been. */
export async function sealOf(
  { secrets, log }: ProofStart,
  mode: Mode,
  { tillKey, audit }: { readonly tillKey: Uint8Array; readonly audit: Audit },
): Promise<SealOptions> {
  return {
    key: tillKey,
    isBegun: await areSealsBegun(secrets, mode),
    onBegun(count) {
      // A new till has none: that is no upgrade.
      if (count > 0) audit.note({ event: 'operations_sealed', why: 'upgrade', count, by: null });
      noteSealsBegun(secrets, mode).catch((error: unknown) =>
        log.warn({ error }, 'That operations have their seals could not be noted; the next start looks again'),
      );
    },
  };
}

/** How the people of a mode are proven, and those of the other one, who may answer for the till, too. */
export async function peopleSealingOf(
  { dataDir, secrets, mode }: Pick<ProofStart, 'dataDir' | 'secrets'> & { readonly mode: Mode },
  {
    tillKey,
    audit,
    onFailed,
  }: { readonly tillKey: Uint8Array; readonly audit: Audit; readonly onFailed: (error: unknown) => void },
): Promise<PeopleSealing> {
  /** So that nobody can write a list for a mode that does not run: its first start would believe it. */
  const beginOther = async (): Promise<number | null> => {
    const each = otherMode(mode);
    const begun = beginPeopleBeside(databasePath(dataDir, each), { key: tillKey, mode: each, knownVersion: null });
    if (begun === null) return null;
    if (begun.names.length > 0) audit.note({ event: 'people_sealed', mode: each, names: begun.names });
    await notePeopleVersion(secrets, each, begun.version);
    return begun.version;
  };
  const proofOf = async (each: Mode): Promise<PeopleProof> => ({
    key: tillKey,
    mode: each,
    knownVersion: await knownPeopleVersion(secrets, each),
  });
  const other = await proofOf(otherMode(mode));
  return {
    own: await proofOf(mode),
    other: { ...other, knownVersion: other.knownVersion ?? (await beginOther()) },
    onVersion(version) {
      // The next start notes it.
      notePeopleVersion(secrets, mode, version).catch(onFailed);
    },
  };
}

/** @param chain.tillKey what its entries are chained by @param chain.isBegun see audit-log.ts */
export function openAudit(
  { dataDir, settings, version, log }: ProofStart,
  { tillKey, isBegun }: { readonly tillKey: Uint8Array; readonly isBegun: boolean },
) {
  const audit = new AuditLog({
    dataDir,
    key: tillKey,
    isBegun,
    nowMs: () => systemClock().now(),
    onFailed: (error) => log.error({ error }, 'The audit log did not take an entry'),
  });
  audit.note({ event: 'agent_started', mode: settings.mode, version });
  return {
    note: (event: AuditEvent) => audit.note(event),
    close: () => {
      audit.note({ event: 'agent_stopped' });
      audit.close();
    },
  };
}
