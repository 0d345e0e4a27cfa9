import { expect, it, vi } from 'vitest';
import { networkDispatcher } from '../../app/client/network-dispatcher.ts';
import { standardLine } from '../support/standard-line.ts';

// Whoever answers for names on the way leads the service's own to what a cloud tells about its machine.
vi.mock('node:dns', async (original) => ({
  ...(await original<typeof import('node:dns')>()),
  lookup: (_name: string, _options: object, found: (error: null, addresses: object[]) => void) =>
    found(null, [{ address: '169.254.169.254', family: 4 }]),
}));

it('a name that leads to a metadata address is not connected to, and no key is sent there', async () => {
  const dispatcher = networkDispatcher(standardLine);
  const asked = dispatcher.request({ origin: 'http://loyalty.example', path: '/v1', method: 'GET' });
  await expect(asked).rejects.toMatchObject({
    code: 'EHOSTUNREACH',
    message: expect.stringContaining('no key is sent'),
  });
  await dispatcher.destroy();
});
