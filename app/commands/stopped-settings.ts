import { type Audit, noAudit } from '../audit/audit-events.ts';
import { SettingsEditor } from '../config/settings-editor.ts';
import { fileSecretStore } from '../machine/secrets.ts';
import { waitingIn } from '../store/copies/waiting-counts.ts';
import { openSources } from './agent-flags.ts';

/**
 * The settings of an agent that does not run, or never ran: as files, secrets and this environment tell.
 *
 * @param audit told of changes
 */
export function stoppedSettings(dataDir: string, audit: Audit = noAudit): SettingsEditor {
  return new SettingsEditor({
    sources: () => openSources(new Map([['data-dir', dataDir]]), process.env),
    secrets: fileSecretStore(dataDir),
    waiting: () => waitingIn(dataDir),
    running: null,
    isPackaged: false,
    onSaved: (_, names, by) => audit.note({ event: 'settings_changed', settings: names, by }),
  });
}
