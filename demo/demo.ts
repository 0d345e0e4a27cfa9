// `npm run demo`: half a minute at a till whose line to the loyalty service is cut, with the real parts: the service
// and the agent are processes of their own, the line is a TCP relay, the POS program is plain HTTP. It ends with exit
// code 0 only when the service holds every sale exactly once.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { openLine } from '../test/support/line.ts';
import { type AgentReady, type Program, startAgentProgram, startSandboxProgram } from '../test/support/program.ts';
import { sell } from './pos.ts';
import { bold, dim, printLine, printScene, printVerdict } from './print.ts';
import type { Sale } from './sale.ts';
import { askForOneLostAnswer, deliveredTwiceOrNever, waitUntilApplied, whatTheTillSays } from './service-books.ts';

const flags = process.argv.slice(2);
const usage = `Usage: npm run demo -- [flags]

Half a minute at a till whose line is cut: sales, a lost answer, a killed till, and a table of every sale with how
often the service holds it. Exit code 0: each exactly once.

  --quick  without the pauses that let a person read along
  --help   this text
`;
if (flags.includes('--help')) {
  process.stdout.write(usage);
  process.exit(0);
}
const unknownFlag = flags.find((flag) => flag !== '--quick');
if (unknownFlag !== undefined) {
  process.stderr.write(`${unknownFlag}: is not a flag of the demo\n\n${usage}`);
  process.exit(2);
}

/** `--quick` tells the same story without the pauses that let a person read along. */
const isQuick = flags.includes('--quick');
const betweenSalesMs = isQuick ? 50 : 700;
const betweenScenesMs = isQuick ? 300 : 2_000;

async function scene(title: string, what: string): Promise<void> {
  await sleep(betweenScenesMs);
  printScene(title, what);
}

const dataDir = mkdtempSync(join(tmpdir(), 'tillbridge-demo-'));
const cards = ['LC-1001', 'LC-1002', 'LC-1009', 'LC-1010'];
const sales: Sale[] = [];

async function sellSome(agent: AgentReady, count: number): Promise<void> {
  for (let index = 0; index < count; index += 1) {
    const number = sales.length + 1;
    sales.push(
      await sell(agent, {
        externalRef: `DEMO-${String(number).padStart(4, '0')}`,
        card: cards[number % cards.length] ?? 'LC-1001',
        amountMinor: 1_250 * number,
      }),
    );
    await sleep(betweenSalesMs);
  }
}

printScene('The service and the till start', 'two processes, and a connection between them');
const service = await startSandboxProgram();
const line = await openLine(service.ready.base_url);
const startTill = (): Promise<Program<AgentReady>> =>
  startAgentProgram(['--data-dir', dataDir, '--port', '0'], {
    TILLBRIDGE_BASE_URL: line.url,
    TILLBRIDGE_API_KEY: service.ready.api_key,
  });
let till = await startTill();
let isSettled = false;
try {
  console.log(dim(`  service ${service.ready.base_url}, till ${till.ready.base_url}`));

  await scene('Sales arrive', 'the POS program sends each to the till, which answers when it is on the disk');
  await sellSome(till.ready, 4);

  await scene('An answer is lost', 'the service records the next sale, and its answer is lost');
  await askForOneLostAnswer(service.ready);
  await sellSome(till.ready, 1);

  await scene('The connection is lost', 'sales go on: the POS program sees no difference');
  await line.cut();
  await sellSome(till.ready, 5);
  printLine(dim(await whatTheTillSays(till.ready)));

  await scene('The till is killed', `kill -9 ${till.pid}, in the middle of the afternoon; then it is started again`);
  await till.kill();
  till = await startTill();
  printLine(dim(await whatTheTillSays(till.ready)));
  await sellSome(till.ready, 2);

  await scene('The connection is back', 'the waiting sales are sent: nobody presses anything');
  await line.mend();
  isSettled = await waitUntilApplied(till.ready, sales, 25_000);

  const wrong = await deliveredTwiceOrNever(service.ready, sales);
  printVerdict({ sales, wrong, isSettled });
  if (wrong.length > 0 || !isSettled) process.exitCode = 1;
  else console.log(bold(`\n${sales.length} sales, each on the service exactly once.\n`));
} finally {
  await till.stop();
  await line.close();
  await service.stop();
  rmSync(dataDir, { recursive: true, force: true });
}
