// Puts a backup in place and sells on it, telling each step when it is done: the power is cut meanwhile.
import { seededRandom } from '../../app/machine/random.ts';
import { restoreBackup } from '../../app/store/copies/backup.ts';
import { openOrRecover } from '../../app/store/open-or-recover.ts';
import { newRow, rowTimeMs } from '../support/core-rows.ts';

const [path = '', backup = ''] = process.argv.slice(2);
const options = { random: seededRandom(5), nowMs: rowTimeMs + 60_000 };
const tell = (line: string) => process.stdout.write(`${line}\n`);

tell('begins');
restoreBackup(backup, path, { ...options, mode: 'sandbox', trust: { kind: 'from_elsewhere' } });
tell('restored');
const store = openOrRecover(path, options);
for (let commit = 0; ; commit += 1) {
  const rowIds = Array.from({ length: 9 }, () => store.operations.takeRowId());
  await store.writer.urgent(() => {
    for (const rowId of rowIds) store.operations.insert(newRow(rowId, { externalRef: `NEW-${commit}-${rowId}` }));
  });
  for (const rowId of rowIds) tell(`saved NEW-${commit}-${rowId}`);
}
