import { z } from 'zod';
import { connectionSchema, operationCountsSchema } from '../../shared/till/views.ts';
import { findRunningAgent } from '../running-agent.ts';
import { fileSecretStore, readBridgeToken } from '../secrets.ts';
import { complain } from './agent.ts';
import { dataDirOf } from './agent-flags.ts';
import { exitCodes } from './exit-codes.ts';
import { type FlagSpec, helpText, parseFlags } from './flags.ts';

const flags: readonly FlagSpec[] = [
  { name: 'data-dir', value: 'FOLDER', help: 'of the agent; default: the platform’s place for it' },
  { name: 'json', value: null, help: 'the answer as JSON' },
  { name: 'help', value: null, help: 'this text' },
];
const usage = 'npm run tillbridge -- status [flags]';
const about = `Tells how the agent of this machine is doing.

Exit codes:
  0  the line is good (or being looked at), and no operation needs attention; some may wait
  1  a problem was found: the line is not good, or operations were refused or failed
  2  the command or a flag is wrong
  3  no agent runs on the data folder, or it does not answer`;
const answerTimeoutMs = 5_000;

const statusSchema = z.object({
  mode: z.string(),
  connection: connectionSchema,
  operations: operationCountsSchema,
  oldest_waiting_at: z.string().nullable(),
  window: z.object({ hours: z.number(), seconds_left: z.number().nullable() }),
  service: z.object({ base_url: z.string(), last_answer_at: z.string().nullable() }),
});

/**
 * `npm run tillbridge`: for store IT.
 *
 * @returns 0 well, 1 a problem found, 2 wrong use, 3 the agent cannot be reached
 */
export async function tillbridgeCommand(argv: readonly string[]): Promise<number> {
  const [name, ...rest] = argv;
  const parsed = parseFlags(name === 'status' ? rest : argv.filter((part) => part === '--help'), flags);
  if (parsed.kind === 'help') {
    process.stdout.write(helpText(usage, about, flags));
    return exitCodes.well;
  }
  if (name !== 'status') return complain([`Name a command: status. --help tells more.`], exitCodes.wrongUse);
  if (parsed.kind === 'wrong') return complain(parsed.problems, exitCodes.wrongUse);
  const dataDir = dataDirOf(parsed.values, process.env);
  const status = await askForStatus(dataDir);
  if (typeof status === 'string') return complain([status], exitCodes.outOfReach);
  process.stdout.write(parsed.switches.has('json') ? `${JSON.stringify(status.body)}\n` : words(status.parsed));
  return hasProblem(status.parsed) ? exitCodes.problemFound : exitCodes.well;
}

type Status = z.infer<typeof statusSchema>;

async function askForStatus(dataDir: string): Promise<string | { body: unknown; parsed: Status }> {
  const agent = findRunningAgent(dataDir);
  const token = await readBridgeToken(fileSecretStore(dataDir));
  if (agent === null || token === null) return `No agent runs on ${dataDir}. Start it, or name its --data-dir.`;
  try {
    const response = await fetch(`${agent.base_url}/agent/status`, {
      headers: { authorization: `Bearer ${token}` },
      signal: AbortSignal.timeout(answerTimeoutMs),
    });
    const body: unknown = await response.json();
    const parsed = statusSchema.safeParse(body);
    return parsed.success ? { body, parsed: parsed.data } : `Something else answers at ${agent.base_url}.`;
  } catch {
    return `The agent of ${dataDir} does not answer at ${agent.base_url}.`;
  }
}

function hasProblem({ connection, operations }: Status): boolean {
  const isLineWell = connection.state === 'online' || connection.state === 'checking';
  return !isLineWell || operations.refused + operations.failed > 0;
}

function words(status: Status): string {
  const { connection, operations, service, window } = status;
  const waiting = operations.queued + operations.sending + operations.unknown + operations.accepted;
  const hoursLeft =
    window.seconds_left === null ? '' : `, ${Math.floor(window.seconds_left / 3600)} h left of ${window.hours}`;
  return [
    `Mode        ${status.mode}`,
    `Service     ${service.base_url} (last answer ${service.last_answer_at ?? 'never'})`,
    `Connection  ${connection.state}${connection.cause === null ? '' : ` (${connection.cause})`} since ${connection.since}`,
    `Waiting     ${waiting}${status.oldest_waiting_at === null ? '' : `, oldest from ${status.oldest_waiting_at}${hoursLeft}`}`,
    `Attention   ${operations.refused + operations.failed}`,
    '',
  ].join('\n');
}
