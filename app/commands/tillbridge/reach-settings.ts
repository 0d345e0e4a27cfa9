import { DataFolderError, DataFolderInUseError, lockDataFolder } from '../../machine/lock.ts';
import type { OfficeAnswer, OfficeInput } from '../../office/calls.ts';
import { stoppedSettings } from '../stopped-settings.ts';
import { callAgent } from './call-agent.ts';
import { OutOfReachError, reachOffice } from './reach-office.ts';

/** The settings of a till: of the running agent, or in its folder, also before it has ever run. */
export interface ReachedSettings {
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
  const desk = await stoppedSettings(dataDir);
  return {
    read: () => desk.read(),
    async change({ patch, confirmed }) {
      const unlock = lock(dataDir);
      try {
        return await desk.change(patch, { isConfirmed: confirmed });
      } finally {
        unlock();
      }
    },
  };
}

/** While it is changed no agent may start. */
function lock(dataDir: string): () => void {
  try {
    return lockDataFolder(dataDir);
  } catch (error) {
    if (error instanceof DataFolderInUseError) {
      throw new OutOfReachError(`The agent of ${dataDir} runs and does not answer.`, { cause: error });
    }
    if (error instanceof DataFolderError) throw new OutOfReachError(error.message, { cause: error });
    throw error;
  }
}
