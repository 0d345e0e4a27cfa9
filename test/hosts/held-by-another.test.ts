import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { copyFileSync } from 'node:fs';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { isDataFolderLocked } from '../../app/machine/lock.ts';
import { seededRandom } from '../../app/machine/random.ts';
import { fileSecretStore, readBridgeToken } from '../../app/machine/secrets.ts';
import { openOrRecover } from '../../app/store/open-or-recover.ts';
import { newRow, rowTimeMs, temporaryFolder } from '../support/core-rows.ts';

let folder: ReturnType<typeof temporaryFolder>;
beforeEach(() => {
  folder = temporaryFolder();
});
afterEach(() => folder.remove());

/** libuv's own flag (UV_FS_O_EXLOCK): on Windows the file is opened for nobody else. */
const forNobodyElse = 0x1000_0000;

/** Another program has the file open, and shares it with nobody. */
async function hold(path: string, forMs: number) {
  const script = `
    const file = require('node:fs').openSync(${JSON.stringify(path)}, ${forNobodyElse} | require('node:fs').constants.O_RDWR);
    setTimeout(() => process.exit(), ${forMs});
    console.log('held', file);`;
  const holder = spawn(process.execPath, ['-e', script], { stdio: ['ignore', 'pipe', 'inherit'] });
  const ended = once(holder, 'exit');
  await once(holder.stdout, 'data');
  return { ended, letGo: () => holder.kill() };
}

/** A database with a sale in its log. @returns its path */
async function killedTill(): Promise<string> {
  const path = folder.file('killed.sqlite');
  const module = (name: string) => JSON.stringify(new URL(`../../app/${name}`, import.meta.url).href);
  const script = `
    const { openOrRecover } = await import(${module('store/open-or-recover.ts')});
    const { seededRandom } = await import(${module('machine/random.ts')});
    const store = openOrRecover(${JSON.stringify(path)}, { random: seededRandom(3), nowMs: ${rowTimeMs} });
    const rowId = store.operations.takeRowId();
    await store.writer.urgent(() => store.operations.insert({ ...${JSON.stringify(newRow(1))}, rowId }));
    process.kill(process.pid, 'SIGKILL');`;
  const killed = spawn(process.execPath, ['--input-type=module', '-e', script], { stdio: 'inherit' });
  await once(killed, 'exit');
  return path;
}

const options = { random: seededRandom(3), nowMs: rowTimeMs };
const shortMs = 1_000;

describe.runIf(process.platform === 'win32')('a file that another program has open for itself alone', () => {
  it('is waited for: secrets', async () => {
    const secrets = fileSecretStore(folder.path);
    await secrets.set('bridge_token', 'T');
    const { ended } = await hold(folder.file('secrets.json'), shortMs);
    expect(await readBridgeToken(secrets)).toBe('T');
    await ended;
    const again = await hold(folder.file('secrets.json'), shortMs);
    await secrets.set('bridge_token', 'U');
    await again.ended;
    expect(await readBridgeToken(secrets)).toBe('U');
  });

  it('is named in one line when it stays held, and is as it was', async () => {
    const secrets = fileSecretStore(folder.path);
    await secrets.set('bridge_token', 'T');
    const { ended, letGo } = await hold(folder.file('secrets.json'), 60_000);
    await expect(readBridgeToken(secrets)).rejects.toThrow(/secrets\.json cannot be used \(E(BUSY|PERM|ACCES)\)/);
    letGo();
    await ended;
    expect(await readBridgeToken(secrets)).toBe('T');
  });

  it('is waited for: the database, its log and its marker, of an agent that was killed', async () => {
    const killed = await killedTill();
    for (const part of ['', '-wal', '-open']) {
      const path = folder.file(`held${part}.sqlite`);
      for (const each of ['', '-wal', '-open']) copyFileSync(killed + each, path + each);
      const { ended } = await hold(path + part, shortMs);
      const store = openOrRecover(path, options);
      expect(store.operations.counts.read().queued, part).toBe(1);
      expect(store.recovery, part).toBeNull();
      store.close();
      await ended;
    }
  });

  it('is waited for: the lock of the data folder', async () => {
    isDataFolderLocked(folder.path);
    const { ended } = await hold(folder.file('agent.lock'), shortMs);
    expect(isDataFolderLocked(folder.path)).toBe(false);
    await ended;
  });
});
