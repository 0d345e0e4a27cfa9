import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';

const renderer = join(import.meta.dirname, '../../../renderer');

// A dialog that selects by itself also selects when its mistake is cleared, and the key just typed is lost.
// The scanner's listener gives a field its selection back, with what the field held before the scan.
it('nothing that asks selects what is in its fields: one place does, when there is a mistake', () => {
  const files = globSync('**/*.{ts,tsx}', { cwd: renderer }).filter((file) => !file.endsWith('find-panel.tsx'));
  const selecting = files.filter((file) =>
    /\.select\(\)|setSelectionRange/.test(readFileSync(join(renderer, file), 'utf8')),
  );
  expect(selecting.toSorted((left, right) => left.localeCompare(right))).toEqual([
    'components/asking.ts',
    'scanner/listen.ts',
  ]);
});
