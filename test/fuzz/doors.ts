import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import fc from 'fast-check';
import { secretsIn } from '../support/agent-process.ts';
import { agentReadySchema, sandboxReadySchema } from '../support/program.ts';
import { bridgeCorpus, screenCorpus, serviceCorpus } from './corpus.ts';
import { openFilesDoor } from './files-door.ts';
import { type HttpTemplate, httpMessages } from './http-messages.ts';
import { type MetPage, meet, newSession, type Session } from './met-page.ts';
import { pageFrame } from './page-frames.ts';
import { sendMessage, statusesIn } from './raw-line.ts';
import { type Memory, type Subject, startSubject } from './subject.ts';
import { openWitness, type Witness } from './witness.ts';

export const doorNames = ['bridge', 'screen', 'till', 'service', 'files'] as const;
export type DoorName = (typeof doorNames)[number];

/** What came of a batch: how often each answer was given, and everything that must not be. */
export interface BatchOutcome {
  readonly tally: Readonly<Record<string, number>>;
  readonly problems: readonly string[];
}

/** A door of ours with the program behind it. */
export interface Door {
  /** Throws a batch of messages at it, the same for the same seed, and then looks whether all is well. */
  play(batch: { readonly seed: number; readonly count: number }): Promise<BatchOutcome>;
  memory(): Promise<Memory>;
  close(): Promise<void>;
}

export async function openDoor(name: DoorName): Promise<Door> {
  switch (name) {
    case 'bridge':
    case 'screen':
      return openAgentDoor(name);
    case 'till':
      return openTillDoor();
    case 'service':
      return openServiceDoor();
    case 'files':
      return openFilesDoor();
  }
}

/** No limit of a day's sales is in the way of the sales that are counted. */
const environment = {
  TILLBRIDGE_LIMITS__MAX_VISITS_PER_HOUR: '1000000000',
  TILLBRIDGE_LIMITS__MAX_QUEUE: '1000000000',
};

const startAgent = () =>
  startSubject(['agent', '--ui', '--port', '0', '--data-dir', '{dir}'], agentReadySchema, environment);

/** So many messages are on their way at once. */
const linesAtOnce = 12;

async function atOnce<Item>(items: readonly Item[], act: (item: Item, index: number) => Promise<void>): Promise<void> {
  const waiting = items.entries();
  const line = async () => {
    for (const [index, item] of waiting) await act(item, index);
  };
  await Promise.all(Array.from({ length: linesAtOnce }, line));
}

class Tally {
  readonly counts: Record<string, number> = {};

  add(name: string | number): void {
    this.counts[name] = (this.counts[name] ?? 0) + 1;
  }
}

async function openAgentDoor(name: 'bridge' | 'screen'): Promise<Door> {
  const agent = await startAgent();
  const { ready, dataDir } = agent;
  const witness = await openWitness(ready);
  const uiUrl = new URL(ready.ui_url ?? '');
  const port = Number(name === 'bridge' ? new URL(ready.base_url).port : uiUrl.port);
  const ids = await witness.realIds();
  const corpus =
    name === 'bridge'
      ? bridgeCorpus({ port, token: ready.token }, secretsIn(dataDir).office_secret ?? '').map((one) => real(one, ids))
      : screenCorpus({ port, token: 'never-printed' });
  return httpDoor(agent, { port, corpus, witness });
}

/** With ids that there are in the place of the corpus's own. */
function real(template: HttpTemplate, ids: Readonly<Record<string, string>>): HttpTemplate {
  const target = Object.entries(ids).reduce((text, [made, found]) => text.replace(made, found), template.target);
  return { ...template, target };
}

function httpDoor<Ready>(
  subject: Subject<Ready>,
  {
    port,
    corpus,
    witness,
  }: { readonly port: number; readonly corpus: readonly HttpTemplate[]; readonly witness: Witness },
): Door {
  return {
    async play({ seed, count }) {
      const tally = new Tally();
      const problems: string[] = [];
      const messages = fc.sample(httpMessages(corpus), { seed, numRuns: count });
      const selling = witness.sell(seed);
      await atOnce(messages, async (message, index) => {
        const answer = await sendMessage(port, message);
        const statuses = statusesIn(answer);
        for (const status of statuses) tally.add(status);
        if (statuses.length === 0) tally.add('none');
        if (statuses.includes(500)) {
          problems.push(`message ${index} was answered 500: ${message.bytes.toString('latin1').slice(0, 2_000)}`);
        }
      });
      problems.push(...(await selling), ...(await wellAfter(subject, witness)));
      return { tally: tally.counts, problems };
    },
    memory: () => subject.memory(),
    close: () => subject.stop(),
  };
}

async function wellAfter(subject: Subject<unknown>, witness: Witness): Promise<readonly string[]> {
  if (!subject.isAlive()) return ['The program has ended', ...subject.faults()];
  return [...(await witness.problems()), ...subject.faults()];
}

/** TillApi behind its session. */
async function openTillDoor(): Promise<Door> {
  const agent = await startAgent();
  const witness = await openWitness(agent.ready);
  const url = agent.ready.ui_url ?? '';
  const session: Session = await newSession(url);
  const { origin } = new URL(url);
  return {
    async play({ seed, count }) {
      const tally = new Tally();
      const selling = witness.sell(seed);
      let page: MetPage | null = null;
      for (const [index, frame] of fc.sample(pageFrame, { seed, numRuns: count }).entries()) {
        if (page === null || !page.isOpen()) {
          page = await meet(origin, session);
          tally.add('pages');
        }
        page.socket.write(frame.bytes);
        tally.add(frame.isWhole ? 'questions' : 'broken');
        // A page may have so many questions open at once; and a broken one is the end of its line.
        if (index % 16 === 15 || !frame.isWhole) await pause(frame.isWhole ? 15 : 3);
      }
      page?.close();
      const problems = [...(await selling), ...(await wellAfter(agent, witness))];
      return { tally: tally.counts, problems };
    },
    memory: () => agent.memory(),
    close: () => agent.stop(),
  };
}

async function openServiceDoor(): Promise<Door> {
  const sandbox = await startSubject(
    ['sandbox', '--port', '0', '--seed', '1', '--data', join('{dir}', 'service.sqlite')],
    sandboxReadySchema,
  );
  const { base_url, control_url, api_key } = sandbox.ready;
  const witness = await openWitness({ base_url, control_url, control_key: api_key, token: api_key });
  const port = Number(new URL(base_url).port);
  const ids = await witness.realIds();
  const corpus = serviceCorpus({ port, token: api_key }).map((one) => real(one, ids));
  return httpDoor(sandbox, { port, corpus, witness });
}
