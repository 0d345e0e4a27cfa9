import { type FakeAgent, failure } from './ui-fake-agent.ts';

/** Of the manager of this till. */
export const managerPin = '4711';

/** Asks for a manager, as the agent does, until the PIN is right. @param wrong what is said of any other */
export function asksForManager(
  agent: FakeAgent,
  command: string,
  wrong: 'pin_wrong' | 'pin_locked' = 'pin_wrong',
): void {
  agent.answer = ({ command: asked, input }) => {
    const given: unknown = Reflect.get(Object(input), 'pin');
    if (asked !== command || given === managerPin) return null;
    const refusal = failure(given === undefined ? 'pin_needed' : wrong);
    // Two minutes are over, and a little of the third.
    return wrong === 'pin_locked' && !refusal.ok && given !== undefined
      ? { ok: false, error: { ...refusal.error, details: [121_000] } }
      : refusal;
  };
}

/** The PINs that the page has sent with a command, in order. */
export function pinsSent(agent: FakeAgent, command: string): readonly unknown[] {
  return agent.questions
    .filter((question) => question.command === command)
    .map(({ input }) => Reflect.get(Object(input), 'pin'));
}
