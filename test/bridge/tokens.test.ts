import { randomBytes } from 'node:crypto';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { PosTokens } from '../../app/bridge/pos-tokens.ts';
import { checkAgainst } from '../../app/bridge/tokens.ts';
import { SecretsError } from '../../app/machine/secrets.ts';
import { type BridgeUnderTest, memorySecrets, officeSecret, startBridge } from '../support/bridge-server.ts';

let bridge: BridgeUnderTest;
beforeEach(async () => {
  bridge = await startBridge();
});
afterEach(() => bridge.close());

const prefixed = { authorization: 'Bearer tb_local_prefixed' };
const earn = { identifier: { loyalty_id: 'LC-1' }, external_ref: 'R-1', amount_minor: 1_000 };

describe('a POS program with a reference prefix', () => {
  it('has it put in front of its references, and never sees it', async () => {
    const answer = await bridge.call('POST', '/v1/transactions/earn', earn, prefixed);
    expect(answer.status).toBe(202);
    expect(bridge.core.operations[0]?.externalRef).toBe('B-R-1');
    const read = await bridge.call('GET', '/v1/transactions?external_ref=R-1', undefined, prefixed);
    expect(read.json.data).toHaveLength(1);
    expect(read.json.data[0].external_ref).toBe('R-1');
    const byId = await bridge.call('GET', `/v1/transactions/${answer.json.transaction_id}`, undefined, prefixed);
    expect(byId.json.external_ref).toBe('R-1');
  });

  it('shares no reference with another program', async () => {
    await bridge.call('POST', '/v1/transactions/earn', earn, prefixed);
    const other = await bridge.call('POST', '/v1/transactions/earn', { ...earn, amount_minor: 2_000 });
    expect(other).toMatchObject({ status: 202, json: { duplicate: false } });
    expect(bridge.core.operations.map(({ externalRef }) => externalRef)).toEqual(['B-R-1', 'R-1']);
    const read = await bridge.call('GET', '/v1/transactions?external_ref=R-1');
    expect(read.json.data.map((row: { amount_minor: number }) => row.amount_minor)).toEqual([2_000]);
  });

  it('is told how long its references may be', async () => {
    const long = { ...earn, external_ref: 'x'.repeat(254) };
    const answer = await bridge.call('POST', '/v1/transactions/earn', long, prefixed);
    expect(answer.status).toBe(400);
    expect(answer.json.error.details).toEqual([
      { field: 'external_ref', problem: 'must have at most 253 characters on a token with the prefix B-' },
    ]);
    const empty = await bridge.call('POST', '/v1/transactions/earn', { ...earn, external_ref: '' }, prefixed);
    expect(empty.status).toBe(400);
  });

  it('gives the agent no orders', async () => {
    const answer = await bridge.call('POST', '/v1/agent/office/counts', {}, prefixed);
    expect(answer.status).toBe(403);
    // The token of the ready line is a POS program's, too.
    expect((await bridge.call('POST', '/v1/agent/office/counts', {})).status).toBe(403);
    const office = { authorization: `Bearer ${officeSecret}` };
    expect((await bridge.call('POST', '/v1/agent/office/counts', {}, office)).status).toBe(200);
    expect((await bridge.call('POST', '/v1/transactions/earn', earn, office)).status).toBe(404);
  });
});

describe('the local tokens', () => {
  const random = (length: number) => randomBytes(length);
  const nowMs = Date.parse('2026-11-21T08:00:00.000Z');
  const soon = () => new Promise<void>((resolve) => setImmediate(resolve));

  it('are made, listed without telling them, kept, and revoked', async () => {
    const secrets = memorySecrets();
    const tokens = await PosTokens.load({ secrets, randomBytes: random });
    const made = await tokens.make('bakery', 'BK-', { nowMs, isShared: false });
    if (made.kind !== 'made') throw new Error('not made');
    expect(JSON.stringify(tokens.list())).not.toContain(made.token);
    const again = await PosTokens.load({ secrets, randomBytes: random });
    expect(again.all.map(({ name, referencePrefix, reach }) => ({ name, referencePrefix, reach }))).toEqual([
      { name: 'main', referencePrefix: '', reach: 'own_and_screen' },
      { name: 'bakery', referencePrefix: 'BK-', reach: 'own' },
    ]);
    expect(await again.revoke('bakery')).toBe(true);
    expect(await again.revoke('bakery')).toBe(false);
    expect(again.all).toHaveLength(1);
  });

  it('count at once: the first one is replaced when it is revoked', async () => {
    const tokens = await PosTokens.load({ secrets: memorySecrets(), randomBytes: random });
    const before = tokens.main;
    expect(await tokens.revoke('main')).toBe(true);
    expect(tokens.main).not.toBe(before);
    expect(tokens.all.map(({ token }) => token)).toEqual([tokens.main]);
  });

  it('that are made at the same moment are both kept', async () => {
    const kept = memorySecrets();
    const slowly = { ...kept, set: (name: string, value: string) => soon().then(() => kept.set(name, value)) };
    const tokens = await PosTokens.load({ secrets: slowly, randomBytes: random });
    const made = await Promise.all([
      tokens.make('bakery', 'BK-', { nowMs, isShared: false }),
      tokens.make('kiosk', 'K-', { nowMs, isShared: false }),
      tokens.make('kiosk', 'KK-', { nowMs, isShared: false }),
    ]);
    expect(made.map(({ kind }) => kind)).toEqual(['made', 'made', 'invalid']);
    const again = await PosTokens.load({ secrets: kept, randomBytes: random });
    expect(again.list().map(({ name }) => name)).toEqual(['main', 'bakery', 'kiosk']);
  });

  it('are as they were when a change could not be kept', async () => {
    const kept = memorySecrets();
    const full = { ...kept, set: () => Promise.reject(new Error('no space left')) };
    await kept.set('bridge_token', 'tb_main');
    const onFullDisk = await PosTokens.load({ secrets: full, randomBytes: random });
    await expect(onFullDisk.make('bakery', 'BK-', { nowMs, isShared: false })).rejects.toThrow('no space left');
    expect(onFullDisk.all.map(({ name }) => name)).toEqual(['main']);
    await expect(onFullDisk.revoke('main')).rejects.toThrow('no space left');
    expect(onFullDisk.main).toBe('tb_main');
  });

  it('that cannot be understood are said so, and left as they are', async () => {
    const secrets = memorySecrets();
    for (const damaged of ['{', '[{"name":"bakery"}]']) {
      await secrets.set('pos_tokens', damaged);
      await expect(PosTokens.load({ secrets, randomBytes: random })).rejects.toThrow(SecretsError);
      expect(await secrets.get('pos_tokens')).toBe(damaged);
    }
  });

  it('tell when they were used last, since the agent began', async () => {
    const tokens = await PosTokens.load({ secrets: memorySecrets(), randomBytes: random });
    const made = await tokens.make('bakery', 'BK-', { nowMs, isShared: false });
    if (made.kind !== 'made') throw new Error('not made');
    const check = checkAgainst(
      () => tokens.all,
      ({ name }) => tokens.noteUse(name, nowMs + 60_000),
    );
    expect(tokens.list().map(({ last_used_at }) => last_used_at)).toEqual([null, null]);
    expect(check(`${made.token}x`)).toBeNull();
    expect(check('x'.repeat(made.token.length))).toBeNull();
    expect(tokens.list().map(({ last_used_at }) => last_used_at)).toEqual([null, null]);
    expect(check(made.token)).toMatchObject({ name: 'bakery', referencePrefix: 'BK-' });
    expect(tokens.list().map(({ last_used_at }) => last_used_at)).toEqual([null, '2026-11-21T08:01:00.000Z']);
  });

  it.each([
    ['', 'P', 'name'],
    ['main', 'P', 'name'],
    ['bakery', 'P', 'name'],
    ['x y', 'P', 'name'],
    ['kiosk', '', 'prefix'],
    ['kiosk', 'a b', 'prefix'],
    ['kiosk', 'P'.repeat(17), 'prefix'],
    ['kiosk', 'BK-', 'prefix'],
    ['kiosk', 'BK-2', 'prefix'],
    ['kiosk', 'B', 'prefix'],
  ])('named %j with prefix %j are refused at the %s', async (name, prefix, field) => {
    const tokens = await PosTokens.load({ secrets: memorySecrets(), randomBytes: random });
    await tokens.make('bakery', 'BK-', { nowMs, isShared: false });
    expect(await tokens.make(name, prefix, { nowMs, isShared: false })).toMatchObject({ kind: 'invalid', field });
    expect(tokens.all).toHaveLength(2);
  });
});
