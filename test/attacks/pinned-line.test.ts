import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { rmSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:https';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { loadSettings } from '../../app/config/load-settings.ts';
import { apiKeyName, fileSecretStore } from '../../app/machine/secrets.ts';
import { type AgentProcess, CommandProcess, newDataDir, startAgentProcess } from '../support/agent-process.ts';
import { type Certificate, makeCertificates } from '../support/certificates.ts';
import { until } from '../support/core-shop.ts';
import { HostileLine } from '../support/hostile-line.ts';
import { ManualClock } from '../support/manual-clock.ts';
import { ScriptedService } from '../support/scripted-service.ts';

// Somebody in the line to the service whose certificate this machine trusts: a proxy of the network, an authority that was
// deceived.

const certificates = makeCertificates();
if (certificates === null) console.warn('Pinned lines were not tried: openssl is not here.');

/** As docs/security.md tells store IT to find it. */
function fingerprintOf({ cert }: Certificate): string {
  const pipe =
    'openssl x509 -pubkey -noout | openssl pkey -pubin -outform der | openssl dgst -sha256 -binary | openssl base64';
  return execFileSync('sh', ['-c', pipe], { input: cert, encoding: 'utf8' }).trim();
}

const liveKey = 'loyalty_pk_live_pinned_1';
const sale = (reference: string) => ({
  identifier: { loyalty_id: 'LC-1' },
  external_ref: reference,
  amount_minor: 1_000,
});

describe.skipIf(certificates === null)('a line whose keys are pinned', () => {
  const { good, stranger } = certificates ?? {
    good: { key: Buffer.alloc(0), cert: Buffer.alloc(0) },
    stranger: { key: Buffer.alloc(0), cert: Buffer.alloc(0) },
  };
  let dataDir: string;
  let service: ScriptedService;
  let line: HostileLine;
  let agent: AgentProcess | null;
  let environment: Readonly<Record<string, string>>;
  beforeEach(async () => {
    dataDir = newDataDir();
    agent = null;
    service = new ScriptedService(new ManualClock());
    await service.start();
    line = await HostileLine.open(service.baseUrl, good);
    // This machine trusts both.
    const authorities = join(dataDir, 'authorities.pem');
    writeFileSync(authorities, Buffer.concat([good.cert, stranger.cert]));
    environment = { NODE_EXTRA_CA_CERTS: authorities };
    await fileSecretStore(dataDir).set(apiKeyName('production'), liveKey);
  });
  afterEach(async () => {
    await agent?.stop('SIGKILL');
    await line.close();
    await service.stop();
    rmSync(dataDir, { recursive: true, force: true });
  });

  async function start(tls: object, more: object = {}): Promise<AgentProcess> {
    const settings = { mode: 'production', base_url: line.url, tls, ...more };
    writeFileSync(join(dataDir, 'settings.json'), JSON.stringify(settings));
    agent = await startAgentProcess({ dataDir, environment });
    return agent;
  }

  const connection = async () => {
    const { json } = (await agent?.call('GET', '/agent/status')) ?? { json: {} };
    return Object(json) as { connection: { state: string; cause: string | null }; operations: { queued: number } };
  };

  it('sends nothing to a trusted stranger, keeps what waits, and sends it once the new key is pinned, too', async () => {
    await line.become({ kind: 'shows', certificate: stranger });
    const pinned = await start({ pins: [fingerprintOf(good)] });
    expect((await pinned.call('POST', '/transactions/earn', sale('PIN-1'))).status).toBe(202);
    await expect
      .poll(connection)
      .toMatchObject({ connection: { state: 'offline', cause: 'tls' }, operations: { queued: 1 } });
    expect(service.requests).toEqual([]);

    const doctor = new CommandProcess(['tillbridge', 'doctor', '--data-dir', dataDir], environment);
    const { stdout } = await doctor.ended;
    expect(stdout).toContain(`is ${fingerprintOf(stranger)}, which is none of tls.pins`);
    expect(service.requests).toEqual([]);

    // The service's next key, pinned beside the present one.
    await pinned.stop();
    await start({ pins: [fingerprintOf(good), fingerprintOf(stranger)] });
    await until(() => service.recorded.has('PIN-1'), 'the sale at the service');
    expect([...service.recorded.keys()]).toEqual(['PIN-1']);
  });

  it('goes to the pinned key, also after its certificate was renewed, and without pins to any trusted one', async () => {
    const pinned = await start({ pins: [fingerprintOf(good)] });
    await pinned.call('POST', '/transactions/earn', sale('PIN-2'));
    await until(() => service.recorded.has('PIN-2'), 'the sale at the service');
    await pinned.stop();
    await line.become({ kind: 'shows', certificate: stranger });
    const open = await start({});
    await open.call('POST', '/transactions/earn', sale('PIN-3'));
    await until(() => service.recorded.has('PIN-3'), 'the sale at the service');
  });

  it('is held to its pins while its sales go out from sandbox mode, and after the settings were lost', async () => {
    await line.become({ kind: 'refused' });
    const pinned = await start({ pins: [fingerprintOf(good)] });
    await pinned.call('POST', '/transactions/earn', sale('PIN-4'));
    await pinned.stop();
    await line.become({ kind: 'shows', certificate: stranger });
    for (const name of ['settings.json', 'settings.last-good.json']) writeFileSync(join(dataDir, name), 'garbage');
    const lost = loadSettings({ dataDir, flags: {}, environment: {}, managedFile: null });
    expect(lost).toMatchObject({ kind: 'loaded', settings: { tls: { pins: [fingerprintOf(good)] } } });
    rmSync(join(dataDir, 'settings.last-good.json'));
    writeFileSync(join(dataDir, 'settings.json'), JSON.stringify({ mode: 'sandbox' }));
    agent = await startAgentProcess({ dataDir, environment });
    await new Promise((resolve) => setTimeout(resolve, 1_500));
    expect(service.requests).toEqual([]);
    await agent.stop();
  });

  it('is https, and a pin is a fingerprint: anything else is refused by its name', () => {
    const refusal = (settings: object) => {
      writeFileSync(join(dataDir, 'settings.json'), JSON.stringify(settings));
      const loaded = loadSettings({
        dataDir,
        flags: {},
        environment: { TILLBRIDGE_API_KEY: 'loyalty_pk_test_1' },
        managedFile: null,
      });
      return loaded.kind === 'refused' ? loaded.problems.join('\n') : 'loaded';
    };
    const pins = [fingerprintOf(good)];
    expect(refusal({ base_url: 'http://127.0.0.1:1/v1', tls: { pins } })).toContain('tls.pins: need a base_url that');
    expect(refusal({ base_url: 'https://127.0.0.1:1/v1', tls: { pins } })).toBe('loaded');
    expect(refusal({ tls: { pins: ['AB:CD'] } })).toContain('tls.pins.0: must be a SHA-256 fingerprint in base64');
    expect(refusal({ tls: { min_version: '1.0' } })).toContain('tls.min_version: must be "1.2" or "1.3"');
  });
});

describe.skipIf(certificates === null)('an old version of TLS', () => {
  let server: Server;
  let asked = 0;
  let dataDir: string;
  beforeAll(async () => {
    dataDir = newDataDir();
    server = createServer({ ...certificates?.good, maxVersion: 'TLSv1.2' }, (_request, response) => {
      asked += 1;
      response.writeHead(200, { 'content-type': 'application/json' }).end('{"data":[]}');
    }).listen(0, '127.0.0.1');
    await once(server, 'listening');
    writeFileSync(join(dataDir, 'authority.pem'), certificates?.good.cert ?? '');
  });
  afterAll(() => {
    server.close();
    rmSync(dataDir, { recursive: true, force: true });
  });

  it('is not spoken where the newer one is asked for, and told as no safe connection', async () => {
    const doctor = async (min_version: string) => {
      const environment = {
        NODE_EXTRA_CA_CERTS: join(dataDir, 'authority.pem'),
        TILLBRIDGE_BASE_URL: `https://127.0.0.1:${(server.address() as AddressInfo).port}/v1`,
        TILLBRIDGE_API_KEY: 'loyalty_pk_test_1',
        TILLBRIDGE_TLS__MIN_VERSION: min_version,
      };
      return (await new CommandProcess(['tillbridge', 'doctor', '--data-dir', dataDir], environment).ended).stdout;
    };
    expect(await doctor('1.3')).toMatch(/no \w+ connection to https:\/\/127\.0\.0\.1/);
    expect(asked).toBe(0);
    expect(await doctor('1.2')).toMatch(/OK +key /i);
    expect(asked).toBe(1);
  });
});
