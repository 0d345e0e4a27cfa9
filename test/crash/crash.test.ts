import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, describe, expect, it } from 'vitest';
import { seededRandom } from '../../app/machine/random.ts';
import { type Line, openLine } from '../support/line.ts';
import {
  type AgentReady,
  launchAgentProgram,
  type Program,
  type SandboxReady,
  startSandboxProgram,
} from '../support/program.ts';
import { readSoundBooks } from './agent-books.ts';
import { clearFaults, heldTransactions, totalHeld, troubleTheService } from './service-side.ts';
import { Shop } from './shop.ts';

const killCount = Number(process.env.CRASH_KILLS ?? 24);
const seed = Number(process.env.CRASH_SEED ?? Date.now() % 1_000_000);
const settleTimeoutMs = 60_000;

describe(`an agent killed ${killCount} times while the line is cut and the service lies (seed ${seed})`, () => {
  const dataDir = mkdtempSync(join(tmpdir(), 'tillbridge-crash-'));
  const running: { service?: Program<SandboxReady>; line?: Line; agent?: Program<AgentReady> } = {};

  afterEach(async () => {
    await running.agent?.kill();
    await running.line?.close();
    await running.service?.stop();
    rmSync(dataDir, { recursive: true, force: true });
  });

  it('has every acknowledged earn on the service exactly once', { timeout: 240_000 }, async () => {
    const random = seededRandom(seed);
    const service = await startSandboxProgram();
    running.service = service;
    const line = await openLine(service.ready.base_url);
    running.line = line;
    await troubleTheService(service.ready);
    const shop = new Shop(random);
    const launchAgent = () =>
      launchAgentProgram(['--data-dir', dataDir, '--port', '0'], {
        TILLBRIDGE_BASE_URL: line.url,
        TILLBRIDGE_API_KEY: service.ready.api_key,
        TILLBRIDGE_LIMITS__CONFIRM_ABOVE_MINOR: '1000000',
      });

    let killsBeforeReady = 0;
    for (let kills = 0; kills < killCount; kills += 1) {
      const launch = launchAgent();
      const lifeMs = Math.floor(random.next() ** 2 * 900);
      const isCut = random.next() < 0.4;
      if (isCut) await line.cut();
      const selling = launch.ready.then(
        (agent) => shop.sellTo(agent.ready),
        () => {
          killsBeforeReady += 1;
        },
      );
      // Under wine a start takes longer than such a life: it counts from there.
      if (process.platform === 'win32') await launch.ready.catch(() => undefined);
      await sleep(random.next() < 0.15 ? lifeMs / 8 : 100 + lifeMs);
      if (isCut && random.next() < 0.7) {
        await line.mend();
        await sleep(lifeMs / 2);
      }
      await launch.kill();
      shop.close();
      await selling;
      await line.mend();
    }

    await clearFaults(service.ready);
    const agent = await launchAgent().ready;
    running.agent = agent;
    await shop.repeatUnanswered(agent.ready);
    await settled(agent.ready);

    const acknowledged = shop.sales.filter(({ isAcknowledged }) => isAcknowledged);
    const wrong: string[] = [];
    for (const sale of shop.sales) {
      const held = await heldTransactions(service.ready, sale.externalRef);
      const isRight = held.length === 1 && held[0]?.status === 'success' && held[0].amount_minor === sale.amountMinor;
      if (!isRight) wrong.push(`${sale.externalRef}: ${held.length} (${held.map(({ status }) => status).join()})`);
    }
    const total = await totalHeld(service.ready, shop.cards);
    // Windows has no signal that ends another program in good order.
    expect(await agent.stop()).toBe(process.platform === 'win32' ? null : 0);
    const { events, counts } = readSoundBooks(join(dataDir, 'sandbox.sqlite'));
    expect(counts).toEqual({ applied: shop.sales.length });
    const lost = events.filter(({ from_state, to_state }) => from_state === 'sending' && to_state === 'unknown');
    const interrupted = lost.filter(({ cause }) => cause === null);
    console.info(
      `crash: seed ${seed}, ${killCount} kills (${killsBeforeReady} before ready), ${acknowledged.length} earns acknowledged, ` +
        `${lost.length} attempts without an answer, ${interrupted.length} rows found marked after a kill, ` +
        `${total} transactions on the service, ${wrong.length} wrong`,
    );
    expect(wrong).toEqual([]);
    expect(total).toBe(shop.sales.length);
    expect(acknowledged.length).toBe(shop.sales.length);
    // On a busy machine many a kill comes before the first sale.
    expect(acknowledged.length).toBeGreaterThan(killCount / 4);
    expect(lost.length).toBeGreaterThan(0);
  });
});

async function settled(agent: AgentReady): Promise<void> {
  const deadline = Date.now() + settleTimeoutMs;
  for (;;) {
    const response = await fetch(`${agent.base_url}/agent/status`, {
      headers: { authorization: `Bearer ${agent.token}` },
    });
    const { operations } = (await response.json()) as { operations: Record<string, number> };
    if (Object.values(operations).every((count) => count === 0)) return;
    if (Date.now() > deadline) throw new Error(`Still waiting: ${JSON.stringify(operations)}`);
    await sleep(200);
  }
}
