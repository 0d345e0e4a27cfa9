import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { createInterface } from 'node:readline';

const root = join(import.meta.dirname, '..', '..');
const cli = join(root, 'node_modules', '@stoplight', 'prism-cli', 'dist', 'index.js');

/** The kept copy of the service's description. */
const openApiFile = join(root, 'docs', 'openapi.json');

/** Prism in a process of its own, ready. */
export interface Prism {
  readonly url: string;
  readonly pid: number;
  stop(): Promise<void>;
}

/** Between a client and the service at `upstreamUrl`: what breaks the description, either way, is answered as an error. */
export function startPrismProxy(upstreamUrl: string): Promise<Prism> {
  return start(['proxy', '--errors', openApiFile, upstreamUrl]);
}

/** A service made from the description alone, which answers with its examples. */
export function startPrismMock(): Promise<Prism> {
  return start(['mock', openApiFile]);
}

async function start(args: readonly string[]): Promise<Prism> {
  const port = await freePort();
  const where = ['--host', '127.0.0.1', '--port', String(port)];
  // It would take several processes where NODE_ENV says production, as after a build in the same process, and fail at it.
  const child: ChildProcess = spawn(process.execPath, [cli, ...args, ...where, '--multiprocess=false'], {
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const exited = once(child, 'exit');
  let printed = '';
  const listening = new Promise<boolean>((resolve) => {
    for (const stream of [child.stdout, child.stderr]) {
      if (stream === null) continue;
      createInterface(stream).on('line', (line) => {
        printed += `${line}\n`;
        if (line.includes('Prism is listening')) resolve(true);
      });
    }
    void exited.then(() => resolve(false));
  });
  if (!(await listening)) throw new Error(`Prism ended before it listened: ${printed}`);
  return {
    url: `http://127.0.0.1:${port}`,
    pid: child.pid ?? 0,
    async stop() {
      child.kill('SIGTERM');
      await exited;
    },
  };
}

/** Prism takes no 0 for "any". */
async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  server.close();
  await once(server, 'close');
  if (address === null || typeof address === 'string') throw new Error('A TCP server has a port');
  return address.port;
}
