import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { modulesUnder } from './check.ts';

const root = join(import.meta.dirname, '../..');

/** What Windows refuses for a moment while a virus scanner has the file. */
const waiting = ['openSync', 'readFileSync', 'writeFileSync', 'rmSync', 'unlinkSync', 'renameSync', 'copyFileSync'];

/** Modules that have Node's own, and why. */
const exceptions: Readonly<Record<string, readonly string[]>> = {
  // The one place.
  'app/machine/held-files.ts': waiting,
  // Of a file that is open already.
  'app/machine/files.ts': ['readFileSync'],
  // A log that cannot be written stops nothing, and nobody waits for it.
  'app/machine/log-file.ts': ['openSync', 'renameSync'],
  'app/machine/log-tail.ts': ['openSync'],
  // An old or a half backup: the agent tries again later, and no sale waits for it.
  'app/backups/backup-files.ts': ['rmSync'],
  'app/backups/left-drafts.ts': ['rmSync'],
  // Files of the program or of the system.
  'app/commands/service/steps.ts': ['copyFileSync', 'rmSync', 'writeFileSync'],
  'app/machine/installed.ts': ['readFileSync'],
  'app/machine/kept-code.ts': ['readFileSync'],
  'app/machine/machine-identity.ts': ['readFileSync'],
  'app/machine/running-process.ts': ['readFileSync'],
  'app/store/database/place.ts': ['readFileSync'],
  'app/web/renderer-files.ts': ['readFileSync'],
  'app/commands/install-update.ts': ['readFileSync'],
  // Packages in a folder of root's, on Linux alone.
  'app/updates/install-package.ts': ['openSync', 'readFileSync', 'renameSync', 'rmSync', 'writeFileSync'],
  // The doctor tells what it finds.
  'app/doctor/gather.ts': ['readFileSync'],
};

describe('a file of a data folder', () => {
  it('is opened, renamed and removed in the one place that waits while another program holds it', () => {
    const modules = modulesUnder(root, 'app');
    const found = modules.flatMap((module) => {
      const text = readFileSync(join(root, module), 'utf8');
      const imports = [...text.matchAll(/import \{([^}]*)\} from 'node:fs'/g)].flatMap(([, names = '']) =>
        names.split(',').map((name) => name.trim().split(' as ')[0] ?? ''),
      );
      const allowed = exceptions[module] ?? [];
      return imports
        .filter((name) => waiting.includes(name) && !allowed.includes(name))
        .map((name) => `${module}: ${name}`);
    });
    expect(modules.length).toBeGreaterThan(300);
    expect(found).toEqual([]);
  });
});
