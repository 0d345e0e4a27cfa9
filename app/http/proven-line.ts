import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { Agent, type IncomingMessage, request } from 'node:http';
import { connect, type Socket } from 'node:net';
import { z } from 'zod';
import { isOfficeProof } from './office-proof.ts';

export interface AgentAnswer {
  readonly status: number;
  readonly body: unknown;
}

export interface AgentQuestion {
  readonly token: string;
  readonly body?: unknown;
  readonly timeoutMs: number;
}

/** A connection at whose other end the agent of a data folder is. */
interface ProvenLine {
  /** @param path with `/v1` @throws when the line is lost, or no answer comes in time */
  ask(path: string, question: AgentQuestion): Promise<AgentAnswer>;
  close(): void;
}

const proofTimeoutMs = 5_000;
/** Whoever has yet to prove anything is not listened to for longer. */
const mostProofBytes = 4_096;
const proofSchema = z.object({ proof: z.string() });

/**
 * Connects to where an agent said that it listens, and has it prove that it knows the folder's secret before anything is
 * sent to it. After a crash any program may have taken the port. What is asked later goes over this very connection.
 *
 * @param agent what the data folder tells of it
 * @param secret of the data folder
 * @returns null when nobody is there, or somebody else
 */
export async function openProvenLine(
  agent: { readonly port: number; readonly pid: number },
  secret: string,
): Promise<ProvenLine | null> {
  const socket = connect({ host: '127.0.0.1', port: agent.port });
  // Errors are told to whoever asks.
  socket.on('error', () => socket.destroy());
  try {
    await once(socket, 'connect', { signal: AbortSignal.timeout(proofTimeoutMs) });
    const line = new OneConnection(socket);
    const challenge = randomBytes(32).toString('base64url');
    const answer = await send(line, {
      port: agent.port,
      path: `/v1/agent/proof?challenge=${challenge}`,
      timeoutMs: proofTimeoutMs,
      mostBytes: mostProofBytes,
    });
    const told = proofSchema.safeParse(answer.body);
    if (told.success && isOfficeProof(secret, { ...agent, challenge }, told.data.proof)) {
      return {
        ask: (path, question) => send(line, { port: agent.port, path, ...question }),
        close: () => line.destroy(),
      };
    }
  } catch {
    // Nobody is there, or nobody who speaks as an agent does.
  }
  socket.destroy();
  return null;
}

/** HTTP over one connection that is there already: when it is lost nothing is sent to whoever listens then. */
class OneConnection extends Agent {
  #socket: Socket | null;

  constructor(socket: Socket) {
    super({ keepAlive: true, maxSockets: 1 });
    this.#socket = socket;
  }

  override createConnection(): Socket {
    const socket = this.#socket;
    this.#socket = null;
    if (socket === null || socket.destroyed) throw new Error('The connection to the agent was lost');
    return socket;
  }
}

interface Question {
  readonly port: number;
  readonly path: string;
  readonly token?: string;
  readonly body?: unknown;
  readonly timeoutMs: number;
  readonly mostBytes?: number;
}

async function send(agent: Agent, { port, path, token, body, timeoutMs, mostBytes }: Question): Promise<AgentAnswer> {
  const text = body === undefined ? undefined : JSON.stringify(body);
  const asked = request({
    agent,
    host: '127.0.0.1',
    port,
    path,
    method: text === undefined ? 'GET' : 'POST',
    signal: AbortSignal.timeout(timeoutMs),
    headers: {
      ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
      ...(text === undefined ? {} : { 'content-type': 'application/json', 'content-length': Buffer.byteLength(text) }),
    },
  });
  asked.end(text);
  const [answer] = (await once(asked, 'response')) as [IncomingMessage];
  return { status: answer.statusCode ?? 0, body: JSON.parse(await textOf(answer, mostBytes)) };
}

async function textOf(answer: IncomingMessage, mostBytes = Number.POSITIVE_INFINITY): Promise<string> {
  const chunks: Buffer[] = [];
  let byteCount = 0;
  for await (const chunk of answer) {
    chunks.push(Buffer.from(chunk));
    byteCount += Buffer.byteLength(chunk);
    if (byteCount > mostBytes) throw new Error('The answer is too long');
  }
  return Buffer.concat(chunks).toString('utf8');
}
