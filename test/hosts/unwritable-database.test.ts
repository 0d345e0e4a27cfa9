import { chmodSync, chownSync, existsSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { CommandProcess, newDataDir } from '../support/agent-process.ts';

const nobody = 65_534;

let dataDir: string;
beforeEach(() => {
  dataDir = newDataDir();
  // Root may write everything: the agent goes on as the folder's user.
  if (process.getuid?.() === 0) chownSync(dataDir, nobody, nobody);
});
afterEach(() => rmSync(dataDir, { recursive: true, force: true }));

const start = () => new CommandProcess(['agent', '--json', '--port', '0', '--data-dir', dataDir]);
const doctor = () => new CommandProcess(['tillbridge', 'doctor', '--data-dir', dataDir]).ended;

describe.skipIf(process.platform === 'win32')('a database that this user may not write', () => {
  it('is named, and so is what SQLite has left beside it', async () => {
    const first = start();
    await first.firstLine();
    await first.stop();
    const database = join(dataDir, 'sandbox.sqlite');
    const besides = [`${database}-wal`, `${database}-shm`];

    chmodSync(database, 0o444);
    const refused = await start().ended;
    expect(refused).toMatchObject({ exitCode: 3, stdout: '' });
    expect(refused.stderr).toContain(`This user may not write ${database}`);
    const found = await doctor();
    expect(found).toMatchObject({ exitCode: 1, stdout: expect.stringMatching(/FAIL +database +.*sandbox\.sqlite/) });

    chmodSync(database, 0o600);
    const left = besides.filter((file) => existsSync(file));
    expect(left.length).toBeGreaterThan(0);
    for (const file of left) chmodSync(file, 0o444);
    const again = await start().ended;
    const line =
      /^This user may not write (\S+\.sqlite-(?:wal|shm)(?:, )?)+\. Give it the right \(chmod u\+w\), then start again\.\n$/;
    expect(again).toMatchObject({ exitCode: 3, stderr: expect.stringMatching(line) });
    const foundAgain = await doctor();
    expect(foundAgain.stdout).toMatch(/FAIL +database +this user may not write \S+-shm/);

    for (const file of besides.filter((each) => existsSync(each))) chmodSync(file, 0o600);
    const last = start();
    await last.firstLine();
    expect(await last.stop()).toMatchObject({ exitCode: 0 });
  });
});
