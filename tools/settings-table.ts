// `npm run settings-table`: writes the table of the settings into the page for store IT.
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { settingsMarkdown } from '../app/commands/tillbridge/settings.ts';
import { root } from './bundles.ts';

const page = join(root, 'docs', 'store-it.md');
const table = /^\| setting \| environment \|.*\n(?:\|.*\n)+/m;

writeFileSync(page, readFileSync(page, 'utf8').replace(table, settingsMarkdown));
