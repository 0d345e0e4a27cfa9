import { waitingByMode } from '../agent/draining.ts';
import { SettingsDesk } from '../config/settings-desk.ts';
import { settingsSources } from './agent-flags.ts';

/** The settings of an agent that does not run, or never ran: as files, secrets and this environment tell. @throws SecretsError */
export async function stoppedSettings(dataDir: string): Promise<SettingsDesk> {
  const { secrets, ...sources } = await settingsSources(new Map([['data-dir', dataDir]]), process.env);
  return new SettingsDesk({
    sources,
    secrets,
    waiting: () => waitingByMode(dataDir, {}),
    running: null,
    isPackaged: false,
  });
}
