import { writeFileSync } from 'node:fs';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { systemRandom } from '../../app/machine/random.ts';
import { verdictAside } from '../../app/store/copies/verdict-aside.ts';
import { openStore } from '../../app/store/store.ts';
import { temporaryFolder } from '../support/core-rows.ts';

let folder: ReturnType<typeof temporaryFolder>;
let path: string;
beforeEach(() => {
  folder = temporaryFolder();
  path = folder.file('till.sqlite');
  openStore(path, { random: systemRandom(), nowMs: 1 }).close();
});
afterEach(() => folder.remove());

describe('another process that checks a file', () => {
  it('says that it is well, or what is wrong', async () => {
    expect(await verdictAside(path)).toBe('ok');
    writeFileSync(path, 'no database');
    expect(await verdictAside(path)).toBe('file is not a database');
  });

  it('says nothing where it cannot be had', async () => {
    expect(await verdictAside(path, { execPath: '/bin/false' })).toBe(null);
    expect(await verdictAside(path, { execPath: '/nowhere/at/all' })).toBe(null);
  });

  it('that dies by a signal has found damage', async () => {
    const dying = folder.file('dying');
    writeFileSync(dying, '#!/bin/sh\nkill -SEGV $$\n', { mode: 0o700 });
    expect(await verdictAside(path, { execPath: dying })).toBe('its reader ended by SIGSEGV');
  });

  it('that crashes as programs do on Windows, by an exit code, has found nothing: nobody reads the file after it', async () => {
    const crashing = folder.file('crashing');
    writeFileSync(crashing, '#!/bin/sh\necho begun\nexit 5\n', { mode: 0o700 });
    await expect(verdictAside(path, { execPath: crashing })).rejects.toThrow('Its reader ended with exit code 5');
  });

  it.each(['TERM', 'TRAP'])('that somebody or its own program ends (SIG%s) has found nothing', async (signal) => {
    const ended = folder.file('ended');
    writeFileSync(ended, `#!/bin/sh\nkill -${signal} $$\n`, { mode: 0o700 });
    await expect(verdictAside(path, { execPath: ended })).rejects.toThrow(`Its reader was ended by SIG${signal}`);
  });

  it('is ended with the till', async () => {
    const slow = folder.file('slow');
    writeFileSync(slow, '#!/bin/sh\nexec sleep 60\n', { mode: 0o700 });
    const ending = new AbortController();
    const verdict = verdictAside(path, { execPath: slow, signal: ending.signal });
    ending.abort();
    await expect(verdict).rejects.toThrow('SIGTERM');
  });
});
