import type { Page } from 'playwright-core';
import { z } from 'zod';
import type { TillReply } from '../../shared/till/api.ts';

/** ANSWER_DELAY_MS=400 runs the screen's tests against an agent whose every word comes so much later. */
const delayMs = Number(process.env.ANSWER_DELAY_MS ?? 0);

/** What the agent says to this page comes late, in its order; what the page says goes at once. */
export async function delayAnswers(page: Page): Promise<void> {
  if (!(delayMs > 0)) return;
  await page.routeWebSocket('**', (socket) => {
    const agent = socket.connectToServer();
    socket.onMessage((message) => agent.send(message));
    agent.onMessage((message) => {
      setTimeout(() => socket.send(message), delayMs);
    });
  });
}

/** Opens the page anew, and cuts its line in place of the agent's first answer to this command. */
export async function loseAnswerTo(page: Page, command: string): Promise<void> {
  let lostId: unknown = null;
  let isLost = false;
  await page.routeWebSocket('**', (socket) => {
    const agent = socket.connectToServer();
    socket.onMessage((message) => {
      const asked = partsOf(message);
      if (asked.command === command) lostId ??= asked.id;
      agent.send(message);
    });
    agent.onMessage(async (message) => {
      if (isLost || lostId === null || partsOf(message).id !== lostId) {
        socket.send(message);
        return;
      }
      isLost = true;
      await Promise.all([agent.close(), socket.close()]);
    });
  });
  await page.reload();
}

/**
 * Opens the page anew. From then on `answer` speaks to this command before the agent hears of it: with a reply of its own, or
 * null to let the agent answer.
 */
export async function answerFirst(
  page: Page,
  command: string,
  answer: () => Promise<TillReply<unknown> | null>,
): Promise<void> {
  await page.routeWebSocket('**', (socket) => {
    const agent = socket.connectToServer();
    socket.onMessage(async (message) => {
      const asked = partsOf(message);
      const reply = asked.command === command ? await answer() : null;
      if (reply === null) agent.send(message);
      else socket.send(JSON.stringify({ id: asked.id, ...reply }));
    });
    agent.onMessage((message) => socket.send(message));
  });
  await page.reload();
}

const partsSchema = z.object({ id: z.unknown().optional(), command: z.string().optional() });

function partsOf(message: string | Buffer): z.output<typeof partsSchema> {
  return partsSchema.parse(JSON.parse(message.toString()));
}
