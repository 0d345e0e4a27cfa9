import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { causeRules } from '../../app/line/causes.ts';
import { activityCsvColumns } from '../../shared/till/activity-csv.ts';
import { connectionWords } from '../../shared/till/state-words.ts';
import { causes, connectionStates } from '../../shared/till/views.ts';
import { root } from '../../tools/bundles.ts';

const page = readFileSync(join(root, 'docs', 'store-it.md'), 'utf8');

/** The rows of the table with this head, each as its cells. */
function tableUnder(head: string): readonly (readonly string[])[] {
  const rest = page
    .slice(page.indexOf(`${head}\n`))
    .split('\n')
    .slice(2);
  const rows = rest.slice(
    0,
    rest.findIndex((line) => !line.startsWith('|')),
  );
  return rows.map((row) =>
    row
      .split('|')
      .slice(1, -1)
      .map((cell) => cell.trim()),
  );
}

it('has every connection state, by its word and its name', () => {
  const rows = tableUnder('| connection | for programs | what it means | what to do |');
  expect(rows.map(([word, name]) => [word, name])).toEqual(
    connectionStates.map((state) => [connectionWords.en[state], `\`${state}\``]),
  );
});

it('has every cause, with the connection that it brings', () => {
  const rows = tableUnder('| cause | connection | what it means | what to do |');
  const expected = causes.map((cause) => [
    `\`${cause}\``,
    cause === 'refused' ? '-' : connectionWords.en[causeRules[cause].connection],
  ]);
  expect(rows.map(([cause, connection]) => [cause, connection])).toEqual(expected);
});

it('names every column of the export', () => {
  const rows = tableUnder('| column | what it is |');
  expect(rows.flatMap(([names = '']) => [...names.matchAll(/`(\w+)`/g)].map(([, name]) => name))).toEqual(
    activityCsvColumns,
  );
});
