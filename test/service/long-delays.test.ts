import { afterEach, expect, test, vi } from 'vitest';
import { boundConnections } from '../../app/http/bounded-connections.ts';
import { serveService } from '../../app/service/faces/http.ts';
import { heardSocket } from '../support/heard-socket.ts';
import { faces, type TestFace } from '../support/service-faces.ts';

/** Of real time: sockets on a busy machine take as long as they take. */
const patience = { timeout: 30_000 };
/** So long a connection of nobody known may stay. */
const strangerLifeMs = 15_000;

let face: TestFace;
let stop = async (): Promise<void> => undefined;
afterEach(async () => {
  vi.useRealTimers();
  await stop();
  await face.close();
});

/** Sends an earn on a new connection. */
async function sendEarn(port: number) {
  const body = JSON.stringify({ identifier: { loyalty_id: 'LC-1001' }, external_ref: 'R-1', points: 1 });
  const lines = [
    'POST /v1/transactions/earn HTTP/1.1',
    'Host: till',
    `Authorization: Bearer ${face.service.apiKey}`,
    'Content-Type: application/json',
    `Content-Length: ${body.length}`,
  ];
  const line = await heardSocket(port);
  line.socket.write(`${lines.join('\r\n')}\r\n\r\n${body}`);
  return line;
}

test('an earn that a fault delays for 20 seconds is answered on the new connection on which it came', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'hrtime'] });
  const inProcess = faces.find(({ name }) => name === 'in process') ?? expect.fail();
  face = await inProcess.start();
  const { service, host } = face;
  const http = await serveService(service, { host: '127.0.0.1', port: 0, clock: host, bound: boundConnections });
  stop = () => http.close();
  await face.control('POST', '/faults', { effect: { type: 'delay', ms: 20_000 } });

  const { socket, heard, isClosed } = await sendEarn(Number(new URL(http.baseUrl).port));
  await vi.waitUntil(() => host.hasTimerIn(20_000), patience);
  await vi.advanceTimersByTimeAsync(strangerLifeMs + 1_000);
  host.advance(20_000);
  await vi.waitUntil(() => heard() !== '' || isClosed(), patience);
  expect(heard()).toMatch(/^HTTP\/1\.1 202 /);
  expect(isClosed()).toBe(false);
  socket.destroy();
});
