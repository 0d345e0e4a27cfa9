import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { settingsHelp, settingsMarkdown } from '../../app/commands/tillbridge/settings.ts';
import { settingNames } from '../../app/config/layers.ts';
import { loadSettings } from '../../app/config/load-settings.ts';
import { root } from '../../tools/bundles.ts';

it('the page for store IT has the table of the settings as it is: run `npm run settings-table` after a change', () => {
  expect(readFileSync(join(root, 'docs', 'store-it.md'), 'utf8')).toContain(`\n\n${settingsMarkdown()}\n`);
});

/** What store IT alone decides, in the file that it deploys: no variable sets it. */
const deployedOnly = ['update.allow_downgrade'];

it.each(deployedOnly)('the help and the page name %s, which no variable sets', (name) => {
  expect(settingsHelp()).toMatch(new RegExp(`^${name} `, 'm'));
  expect(settingsMarkdown()).toContain(`| \`${name}\` | none |`);
  const variable = `TILLBRIDGE_${name.toUpperCase().replaceAll('.', '_')}`;
  const sources = { dataDir: '/nowhere', managedFile: null, flags: {} };
  const loaded = loadSettings({ ...sources, environment: { [variable]: 'yes' } });
  expect(loaded).toMatchObject({ kind: 'loaded', sources: { [name]: 'default' } });
});

const withVariable = settingNames.filter((name) => !deployedOnly.includes(name));

it.each(withVariable)('the help and the page name %s, and the variable that they name is read', (name) => {
  expect(settingsHelp()).toMatch(new RegExp(`^${name} `, 'm'));
  const variable = new RegExp(`^\\| \`${name}\` \\| \`(\\w+)\` \\|`, 'm').exec(settingsMarkdown())?.[1] ?? '';
  const sources = { dataDir: '/nowhere', managedFile: null, flags: {} };
  const loaded = loadSettings({ ...sources, environment: { [variable]: 'not a value that fits' } });
  const isRead =
    loaded.kind === 'loaded'
      ? loaded.sources[name] === 'environment'
      : loaded.problems.some((line) => line.startsWith(`${variable}: `) || line.startsWith(`${name}: `));
  expect({ variable, isRead }).toEqual({ variable: expect.stringMatching(/^TILLBRIDGE_/), isRead: true });
});
