import { randomBytes } from 'node:crypto';
import { z } from 'zod';
import { type AttachFacts, type FoundAttach, findAttach } from '../../app/http/attach-file.ts';
import type { TillError, TillReply } from '../../shared/till/api.ts';
import { type AttachLine, openAttachLine } from './attach-socket.ts';
import { parsed } from './meet-agent.ts';

/** The state of a window's connection to its agent. */
export type AttachState =
  | { readonly kind: 'open' }
  /** The agent is away. The window looks for it until it is back. */
  | { readonly kind: 'lost' }
  /** This user may not open a window of this agent. */
  | { readonly kind: 'denied' }
  /** The agent is there, but accepts only windows of its own version. */
  | { readonly kind: 'other_version'; readonly version: string };

/** An agent in another process, for the page of this process. */
export interface AttachedTill {
  readonly state: AttachState;
  /** Answers `{command, input}`. While the agent is away, answers `agent_gone` at once. Never rejects. */
  handle(message: unknown): Promise<TillReply<unknown>>;
  /** Passes the agent's events on unchanged. @returns a function that ends the subscription */
  onEvent(listener: (event: object) => void): () => void;
  /** @returns a function that ends the subscription */
  onState(listener: (state: AttachState) => void): () => void;
  close(): void;
}

interface AttachOptions {
  /** The folder in which the agent says how windows reach it. */
  readonly folder: string;
  /** The version of this program. The agent must have the same one. */
  readonly version: string;
  /** The name of this window: see windowNameShape. */
  readonly name: string;
  readonly find?: (folder: string) => FoundAttach;
}

/** The pause between two looks for an agent that is away. A look on this machine costs almost nothing. */
const lookEveryMs = 400;
/** Longer than the agent waits for the service in a look-up. */
const answerWaitMs = 30_000;
/** A longer message makes the agent close the connection. */
const maxQuestionBytes = 60 * 1024;

const questionSchema = z.object({ command: z.string(), input: z.unknown() });
const answerSchema = z.looseObject({ id: z.int() });
const eventSchema = z.object({ event: z.looseObject({ type: z.string() }) });
/** Only the outer shape is checked, because the agent has the same version. */
const replySchema = z.union([
  z.object({ ok: z.literal(true), value: z.unknown() }),
  z.object({
    ok: z.literal(false),
    error: z.custom<TillError>((error) => typeof error === 'object' && error !== null),
  }),
]);

/** A window's name. It shows who attached, and no other window has it. @param login of the operating system */
export function newWindowName(login: string): string {
  return `window.${loginName(login)}.${randomBytes(8).toString('hex')}`;
}

/** A login of the operating system, in the characters that a name may have. */
export function loginName(login: string): string {
  const user = login.replaceAll(/[^\w-]/g, '_').slice(0, 24);
  return user === '' ? '_' : user;
}

/**
 * Attaches to the agent of a folder, and again when the agent comes back, so that a restarted service goes on under an
 * open window. A command that was being answered when the agent ended gets `agent_gone`. It is not sent again by
 * itself: the page repeats it under the same operation.
 */
export function attachTill({ folder, version, name, find = findAttach }: AttachOptions): AttachedTill {
  const eventListeners = new Set<(event: object) => void>();
  const stateListeners = new Set<(state: AttachState) => void>();
  const waiting = new Map<number, (reply: TillReply<unknown>) => void>();
  let state: AttachState = { kind: 'lost' };
  let line: AttachLine | null = null;
  let lastId = 0;
  let isClosed = false;
  let timer: NodeJS.Timeout | null = null;

  const change = (next: AttachState): void => {
    if (JSON.stringify(next) === JSON.stringify(state)) return;
    state = next;
    for (const listener of stateListeners) listener(next);
  };
  const lookAgain = (): void => {
    if (!isClosed) timer = setTimeout(() => void look(), lookEveryMs);
  };

  async function look(): Promise<void> {
    const found = find(folder);
    const opened = found.kind === 'found' ? await open(found.facts) : null;
    if (isClosed) opened?.close();
    else if (opened === null) {
      change({ kind: found.kind === 'denied' ? 'denied' : 'lost' });
      lookAgain();
    } else if (found.kind === 'found' && found.facts.version !== version) {
      opened.close();
      change({ kind: 'other_version', version: found.facts.version });
      lookAgain();
    }
  }

  /** The connection belongs to this window as soon as both ends have proven themselves. */
  async function open(facts: AttachFacts): Promise<AttachLine | null> {
    let isLost = false;
    const onLost = (): void => {
      isLost = true;
      if (line !== null) lose();
    };
    const opened = await openAttachLine(facts, name, { onMessage: receive, onLost });
    if (opened === null || isLost) return null;
    if (facts.version === version && !isClosed) {
      line = opened;
      change({ kind: 'open' });
    }
    return opened;
  }

  function lose(): void {
    line = null;
    change({ kind: 'lost' });
    for (const settle of waiting.values()) settle(gone('The line to the agent was lost.'));
    lookAgain();
  }

  function receive(text: string): void {
    const message = parsed(text);
    const answer = answerSchema.safeParse(message);
    if (answer.success) {
      const reply = replySchema.safeParse(message);
      waiting.get(answer.data.id)?.(reply.success ? reply.data : gone('The answer of the agent is not in shape.'));
      return;
    }
    const told = eventSchema.safeParse(message);
    if (told.success) for (const listener of eventListeners) listener(told.data.event);
  }

  void look();
  return {
    get state() {
      return state;
    },
    handle(message) {
      const question = questionSchema.safeParse(message);
      if (!question.success) return Promise.resolve(invalid('The question is not in shape.'));
      const open = line;
      if (open === null) return Promise.resolve(gone('No agent is there.'));
      lastId += 1;
      const id = lastId;
      const text = textOf({ id, ...question.data });
      if (text === null) return Promise.resolve(invalid('The question is too long, or cannot be written.'));
      return new Promise((resolve) => {
        const patience = setTimeout(() => settle(gone('The agent did not answer.')), answerWaitMs);
        const settle = (reply: TillReply<unknown>): void => {
          clearTimeout(patience);
          waiting.delete(id);
          resolve(reply);
        };
        waiting.set(id, settle);
        open.send(text);
      });
    },
    onEvent(listener) {
      eventListeners.add(listener);
      return () => eventListeners.delete(listener);
    },
    onState(listener) {
      stateListeners.add(listener);
      return () => stateListeners.delete(listener);
    },
    close() {
      isClosed = true;
      if (timer !== null) clearTimeout(timer);
      line?.close();
      line = null;
      for (const settle of waiting.values()) settle(gone('The window is closed.'));
    },
  };
}

function textOf(question: object): string | null {
  try {
    const text = JSON.stringify(question);
    return Buffer.byteLength(text) > maxQuestionBytes ? null : text;
  } catch {
    return null;
  }
}

function gone(message: string): TillReply<never> {
  return { ok: false, error: { code: 'agent_gone', message } };
}

function invalid(message: string): TillReply<never> {
  return { ok: false, error: { code: 'invalid', message } };
}
