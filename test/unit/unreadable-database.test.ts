import { symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { checkDatabase } from '../../app/doctor/check-machine.ts';
import { checkSandboxBooks } from '../../app/doctor/check-sandbox-books.ts';
import { temporaryFolder } from '../support/core-rows.ts';

// What the doctor says of a file that it cannot read. The reason stands in brackets within the doctor's own sentence.

let folder: ReturnType<typeof temporaryFolder>;
beforeEach(() => {
  folder = temporaryFolder();
});
afterEach(() => folder.remove());

it('a reason that is a sentence of its own gives up its full stop within the brackets', () => {
  const path = folder.file('till.sqlite');
  symlinkSync(join(folder.path, 'not-mounted.sqlite'), path);
  const [finding, ...others] = checkDatabase(path, { isOpen: false });
  expect(others).toEqual([]);
  expect(finding).toMatchObject({ check: 'database', verdict: 'problem' });
  expect(finding?.says).toMatch(/^till\.sqlite cannot be read \(.*then start again\)$/);
});

it('the reason for the sandbox’s own data is told in the same sentence', () => {
  writeFileSync(folder.file('sandbox-service.sqlite'), 'no database at all, whatever SQLite may think of it');
  const [finding, ...others] = checkSandboxBooks(folder.path);
  expect(others).toEqual([]);
  expect(finding).toMatchObject({
    check: 'sandbox',
    verdict: 'problem',
    says: 'sandbox-service.sqlite cannot be read (file is not a database)',
    advice: 'Start the agent in the mode of this database: it says what is wrong',
  });
});
