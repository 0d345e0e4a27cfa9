import type { Page } from 'playwright-core';

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
