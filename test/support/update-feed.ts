import { createPrivateKey, generateKeyPairSync, sign } from 'node:crypto';
import { createReadStream, existsSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { type Feed, feedName, productId, signatureName } from '../../app/updates/feed.ts';

/** What the server does wrong with a file, once each time it stands here. */
type FeedFault = 'half' | 'cut' | 'late' | 'never';

export interface FeedServer {
  readonly url: string;
  readonly folder: string;
  /** What was asked for, in order. */
  readonly asked: readonly string[];
  /** For the next request of a file whose name ends so. */
  fail(end: string, fault: FeedFault): void;
  close(): Promise<void>;
}

/** A folder with a feed, as a web server offers it. */
export async function serveFeed(): Promise<FeedServer> {
  const folder = mkdtempSync(join(tmpdir(), 'feed-'));
  const asked: string[] = [];
  const faults: { readonly end: string; readonly fault: FeedFault }[] = [];
  const server = createServer((request, response) => {
    const name = basename(new URL(request.url ?? '/', 'http://feed').pathname);
    asked.push(name);
    const place = faults.findIndex(({ end }) => name.endsWith(end));
    const fault = place === -1 ? null : faults.splice(place, 1)[0]?.fault;
    send(response, join(folder, name), fault ?? null);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}/`,
    folder,
    asked,
    fail: (end, fault) => void faults.push({ end, fault }),
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

function send(response: ServerResponse, file: string, fault: FeedFault | null): void {
  if (!existsSync(file)) {
    response.writeHead(404).end();
    return;
  }
  const { size } = statSync(file);
  // A length that is not kept is what a lost connection looks like.
  response.writeHead(200, fault === 'half' ? {} : { 'content-length': String(size) });
  switch (fault) {
    case 'never':
      return;
    case 'late':
      setTimeout(() => createReadStream(file).pipe(response), 300);
      return;
    case 'half':
    case 'cut':
      createReadStream(file, { end: Math.floor(size / 2) })
        .on('end', () => (fault === 'cut' ? response.destroy() : response.end()))
        .pipe(response, { end: false });
      return;
    case null:
      createReadStream(file).pipe(response);
      return;
  }
}

interface UpdateKey {
  /** Base64, as a package has it. */
  readonly publicKey: string;
  readonly privatePem: string;
}

export function makeUpdateKey(): UpdateKey {
  const { publicKey, privateKey } = generateKeyPairSync('ed25519');
  return {
    publicKey: publicKey.export({ type: 'spki', format: 'der' }).toString('base64'),
    privatePem: String(privateKey.export({ type: 'pkcs8', format: 'pem' })),
  };
}

/** A feed as `npm run update-feed -- sign` writes it, with anything in it that a test wants. */
export function signedFeed(key: UpdateKey, changes: Partial<Feed> & Pick<Feed, 'version' | 'files'>) {
  const feed: Feed = {
    product: productId,
    platform: 'linux-x64',
    releaseDate: '2026-11-20T10:00:00.000Z',
    stagingPercentage: 100,
    hold: false,
    ...changes,
  };
  const bytes = Buffer.from(`${JSON.stringify(feed, null, 2)}\n`);
  return { bytes, signature: `${sign(null, bytes, createPrivateKey(key.privatePem)).toString('base64')}\n` };
}

export function putFeed(folder: string, { bytes, signature }: ReturnType<typeof signedFeed>): void {
  const path = join(folder, feedName('linux-x64'));
  writeFileSync(path, bytes);
  writeFileSync(signatureName(path), signature);
}
