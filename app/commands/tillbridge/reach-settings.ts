import type { AuditEvent } from '../../audit/audit-events.ts';
import { openStoppedAudit } from '../../audit/open-audit.ts';
import { DataFolderError, DataFolderInUseError, lockWhenFree } from '../../machine/lock.ts';
import { fileSecretStore } from '../../machine/secrets.ts';
import type { OfficeAnswer, OfficeInput } from '../../office/office.ts';
import { stoppedSettings } from '../stopped-settings.ts';
import { callAgent, callAgentWhenFree } from './call-agent.ts';
import { folderWaitMs, OutOfReachError, silentHolder } from './out-of-reach.ts';
import { reachOffice } from './reach-office.ts';

/** The settings of a till: of the running agent, or in its folder, also before it has ever run. */
interface ReachedSettings {
  read(): Promise<OfficeAnswer<'settings.list'>>;
  change(input: OfficeInput<'settings.change'>): Promise<OfficeAnswer<'settings.change'>>;
}

/** @throws OutOfReachError, SecretsError */
export async function reachSettings(dataDir: string): Promise<ReachedSettings> {
  if ((await callAgent(dataDir)) !== null) {
    const office = await reachOffice(dataDir);
    return {
      read: () => office.call('settings.list', {}),
      change: (input) => office.call('settings.change', input),
    };
  }
  return {
    read: () => stoppedSettings(dataDir).read(),
    async change(input) {
      const { patch, confirmed, by = null } = input;
      // One that was starting a moment ago has the folder for as long as it runs.
      if ((await callAgentWhenFree(dataDir)) !== null) {
        return (await reachOffice(dataDir)).call('settings.change', input);
      }
      const unlock = await lock(dataDir);
      try {
        const told: AuditEvent[] = [];
        const editor = stoppedSettings(dataDir, { note: (event) => told.push(event) });
        const outcome = await editor.change(patch, { isConfirmed: confirmed, by });
        if (told.length > 0) await tellAudit(dataDir, told);
        return outcome;
      } finally {
        unlock();
      }
    },
  };
}

/** A till that has never run gets its key with the first change, and none by one that was refused. */
async function tellAudit(dataDir: string, events: readonly AuditEvent[]): Promise<void> {
  const audit = await openStoppedAudit(dataDir, fileSecretStore(dataDir));
  for (const event of events) audit.note(event);
  audit.close();
}

/** While it is changed no agent may start. */
async function lock(dataDir: string): Promise<() => void> {
  try {
    return await lockWhenFree(dataDir, { withinMs: folderWaitMs });
  } catch (error) {
    if (error instanceof DataFolderInUseError) throw silentHolder(dataDir, error);
    if (error instanceof DataFolderError) throw new OutOfReachError(error.message, { cause: error });
    throw error;
  }
}
