import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { seededRandom } from '../../app/machine/random.ts';
import { fileSecretStore, keptBridgeToken, SecretsError } from '../../app/machine/secrets.ts';

let dataDir: string;
beforeEach(() => {
  dataDir = mkdtempSync(join(tmpdir(), 'secrets-'));
});
afterEach(() => rmSync(dataDir, { recursive: true }));
const random = seededRandom(1);
const bytes = (length: number) => random.bytes(length);

describe('secrets in a file', () => {
  it('are kept and changed, for this user alone', async () => {
    const secrets = fileSecretStore(dataDir);
    expect(await secrets.get('a')).toBeNull();
    await secrets.set('a', '1');
    await secrets.set('b', '2');
    await secrets.set('a', '3');
    expect([await secrets.get('a'), await secrets.get('b')]).toEqual(['3', '2']);
    const mode = statSync(join(dataDir, 'secrets.json')).mode & 0o777;
    if (process.platform !== 'win32') expect(mode).toBe(0o600);
  });

  it('are taken away', async () => {
    const secrets = fileSecretStore(dataDir);
    await secrets.set('a', '1');
    await secrets.set('b', '2');
    await secrets.remove('a');
    await secrets.remove('never there');
    expect([await secrets.get('a'), await secrets.get('b')]).toEqual([null, '2']);
  });

  it.skipIf(process.platform === 'win32').each([0o644, 0o640, 0o602])(
    'that others can reach (%o) are refused, and the line says what to do',
    async (mode) => {
      const path = join(dataDir, 'secrets.json');
      const secrets = fileSecretStore(dataDir);
      await secrets.set('a', '1');
      chmodSync(path, mode);
      await expect(secrets.get('a')).rejects.toThrow(`chmod 600 ${path}`);
      await expect(secrets.set('a', '2')).rejects.toThrow(SecretsError);
      chmodSync(path, 0o600);
      expect(await secrets.get('a')).toBe('1');
    },
  );

  it('whose place a folder has taken are not said to be open to others', async () => {
    mkdirSync(join(dataDir, 'secrets.json'), { mode: 0o755 });
    const line = `${join(dataDir, 'secrets.json')} is a folder, where the secrets belong. Move it away. Put secrets.json back`;
    await expect(fileSecretStore(dataDir).get('a')).rejects.toThrow(line);
  });

  it('that cannot be read are never replaced', async () => {
    const path = join(dataDir, 'secrets.json');
    writeFileSync(path, '{"bridge_token":', { mode: 0o600 });
    await expect(keptBridgeToken(fileSecretStore(dataDir), bytes)).rejects.toThrow(SecretsError);
    expect(readFileSync(path, 'utf8')).toBe('{"bridge_token":');
  });

  it('of which one stands twice are refused by its name, and neither is told', async () => {
    const text = '{"bridge_token":"first",\n"bridge_token":"second"}';
    writeFileSync(join(dataDir, 'secrets.json'), text, { mode: 0o600 });
    const read = fileSecretStore(dataDir).get('bridge_token');
    await expect(read).rejects.toThrow('has twice: bridge_token (lines 1 and 2). Keep one of each. Correct the file.');
    await expect(read).rejects.not.toThrow(/first|second/);
  });
});

describe('the local token', () => {
  it('is made once and the same ever after', async () => {
    const first = await keptBridgeToken(fileSecretStore(dataDir), bytes);
    expect(first).toMatch(/^tillbridge_[\w-]{32}$/);
    expect(await keptBridgeToken(fileSecretStore(dataDir), bytes)).toBe(first);
  });
});
