import type { z } from 'zod';
import { text } from '../../shared/contract/primitives.ts';
import { validate } from '../../shared/contract/problems.ts';
import type { Connection } from '../../shared/till/views.ts';
import type { OfficeReply } from '../bridge/office.ts';
import type { PosTokens } from '../bridge/pos-tokens.ts';
import type { Settings } from '../config/settings.ts';
import type { SettingsEditor } from '../config/settings-editor.ts';
import type { AgentCore } from '../core/agent-core.ts';
import type { Finding } from '../doctor/finding.ts';
import { isDiskError } from '../machine/files.ts';
import type { PeopleCommands } from '../people/people.ts';
import type { Updates } from '../updates/updates.ts';
import type { OfficeSessions } from './office-sessions.ts';

/** What the office asks: the running agent, or its database while it is stopped. */
export interface OfficeSource
  extends Pick<
    AgentCore,
    | 'activity'
    | 'operationsByReference'
    | 'sentRequest'
    | 'triesBefore'
    | 'history'
    | 'counts'
    | 'resend'
    | 'writeOff'
    | 'keep'
    | 'takeBack'
    | 'verify'
    | 'eraseKeptProfiles'
    | 'persons'
    | 'days'
  > {
  /** Asks the service now, though it has asked to wait. @returns null while the agent is stopped */
  tryLine(): Promise<Connection | null>;
  readonly settings: Pick<Settings, 'day_starts_at' | 'mode'>;
  readonly people: Pick<
    PeopleCommands,
    'list' | 'doubts' | 'hasPin' | 'addManager' | 'addCashier' | 'setCashierPin' | 'remove'
  >;
}

/** Who may call the bridge and open the screen, as the office keeps it. */
export interface OfficeKeys {
  readonly tokens: Pick<PosTokens, 'list' | 'make' | 'share' | 'revoke'>;
  readonly settings: Pick<SettingsEditor, 'read' | 'change' | 'held'>;
  /** Asks the service one cheap question. */
  readonly checkService: () => Promise<readonly Finding[]>;
  readonly sessions: OfficeSessions;
  /** Null or missing: this agent has no window that could be updated. */
  readonly updates?: Pick<Updates, 'view' | 'look' | 'install'> | null;
  readonly nowMs: () => number;
  /** Ends the program in good order, soon after; missing where no agent runs. */
  readonly end?: (by: string) => void;
}

/** What the answers of the calls are made from. */
interface OfficeParts {
  readonly source: OfficeSource;
  readonly keys: OfficeKeys;
}

/** One question of store IT: what is asked, what is answered, and from what the answer is made. */
export interface OfficeCall<Input extends z.ZodType = z.ZodType, Answer extends z.ZodType = z.ZodType> {
  readonly input: Input;
  readonly answer: Answer;
  /** Answers what somebody sent, once it is checked. */
  take(given: unknown, parts: OfficeParts): Promise<OfficeReply>;
}

/** Who asks, for the audit log. */
export const asker = { by: text.optional() };

/** Who asks with a command of an older version, which does not say which user it is. */
export const storeItUnnamed = 'store IT';

const diskWords = 'The disk did not take it';

/** A row of the table of calls. */
export function officeCall<Input extends z.ZodType, Answer extends z.ZodType>(row: {
  readonly input: Input;
  readonly answer: Answer;
  readonly reply: (input: z.output<Input>, parts: OfficeParts) => z.output<Answer> | Promise<z.output<Answer>>;
}): OfficeCall<Input, Answer> {
  const { input: inputSchema, answer, reply } = row;
  return {
    input: inputSchema,
    answer,
    async take(given, parts) {
      const input = validate(inputSchema, given);
      if (input.kind === 'invalid') return { kind: 'invalid', problems: input.problems };
      try {
        return { kind: 'answered', answer: await reply(input.value, parts) };
      } catch (error) {
        if (!(error instanceof Error) || !isDiskError(error)) throw error;
        return {
          kind: 'not_written',
          message: `${diskWords}: ${error.message}. Free space on the disk, or stop what holds its files, and try again`,
        };
      }
    },
  };
}
