import { waitingByMode } from '../agent/draining.ts';
import { type Audit, noAudit } from '../audit/audit-events.ts';
import { SettingsEditor } from '../config/settings-editor.ts';
import { settingsSources } from './agent-flags.ts';

/**
 * The settings of an agent that does not run, or never ran: as files, secrets and this environment tell.
 *
 * @param audit told of changes
 * @throws SecretsError
 */
export async function stoppedSettings(dataDir: string, audit: Audit = noAudit): Promise<SettingsEditor> {
  const { secrets, ...sources } = await settingsSources(new Map([['data-dir', dataDir]]), process.env);
  return new SettingsEditor({
    sources,
    secrets,
    waiting: () => waitingByMode(dataDir, {}),
    running: null,
    isPackaged: false,
    onSaved: (_, names, by) => audit.note({ event: 'settings_changed', settings: names, by }),
  });
}
