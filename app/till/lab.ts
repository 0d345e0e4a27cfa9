import { z } from 'zod';
import { validate } from '../../shared/contract/problems.ts';
import type { TillReply } from '../../shared/till/api.ts';
import { type LabCommandName, labCommands } from '../../shared/till/lab-commands.ts';
import type { FaultType } from '../../shared/till/lab-names.ts';
import type { TillState } from '../../shared/till/views.ts';
import type { Handler, Handlers } from './command.ts';
import { failed, refusedInput, succeeded } from './replies.ts';

/** An answer of the control API. */
interface ControlAnswer {
  readonly status: number;
  readonly body: unknown;
}

/** The embedded sandbox's controls: its control API, in this process. */
export interface Lab {
  /** @param path relative to `control_url`, with its query */
  call(method: string, path: string, body?: unknown): Promise<ControlAnswer>;
  /** The API key that the agent itself uses; null while it cannot be read. */
  readonly ownKey: string | null;
  /** The active faults, in their order. */
  activeFaults(): readonly FaultType[];
  readonly clockAheadMs: number;
  /** Grows with every change through the control API, whoever made it. */
  readonly changeCount: number;
}

interface ControlCall {
  readonly method: 'GET' | 'POST' | 'PATCH' | 'DELETE';
  readonly path: string;
  readonly body?: unknown;
}

/** What every screen shows of the sandbox's controls. */
export function labSummary(lab: Lab | null): TillState['lab'] {
  if (lab === null) return null;
  return {
    active_faults: [...lab.activeFaults()],
    clock_ahead_ms: lab.clockAheadMs,
    change_count: lab.changeCount,
  };
}

/**
 * The commands of the sandbox controls. Each is one call of the control API, through the same table that answers over
 * HTTP.
 *
 * @param lab null with any other service than the embedded sandbox: then every command is refused
 */
export function labHandlers(lab: Lab | null): Handlers<LabCommandName> {
  function as<Input extends z.ZodType>(
    shape: { readonly input: Input; readonly answer: z.ZodType },
    toCall: (input: z.output<Input>) => ControlCall,
    beside: (lab: Lab) => object = () => ({}),
  ): Handler {
    return async (given) => {
      if (lab === null) return failed('no_lab', 'This agent has no sandbox of its own.');
      const input = validate(shape.input, given);
      if (input.kind === 'invalid') return refusedInput(input.problems);
      const { method, path, body } = toCall(input.value);
      const answer = await lab.call(method, path, body);
      if (answer.status >= 400) return refused(answer.body);
      return succeeded(shape.answer.parse(Object.assign({}, answer.body, beside(lab))));
    };
  }
  return {
    'lab.read': as(labCommands['lab.read'], () => get('/')),
    'lab.clock': as(labCommands['lab.clock'], () => get('/clock')),
    'lab.move_clock': as(labCommands['lab.move_clock'], (move) => post('/clock', move)),
    'lab.add_customer': as(labCommands['lab.add_customer'], ({ customer }) => post('/customers', customer)),
    'lab.suspend_card': as(labCommands['lab.suspend_card'], ({ card_id }) => post(inPath`/cards/${card_id}/suspend`)),
    'lab.resume_card': as(labCommands['lab.resume_card'], ({ card_id }) => post(inPath`/cards/${card_id}/resume`)),
    'lab.codes': as(labCommands['lab.codes'], () => get('/otp')),
    'lab.faults': as(labCommands['lab.faults'], () => get('/faults')),
    'lab.add_fault': as(labCommands['lab.add_fault'], (rule) => post('/faults', rule)),
    'lab.remove_fault': as(labCommands['lab.remove_fault'], ({ fault_id }) => remove(inPath`/faults/${fault_id}`)),
    'lab.clear_faults': as(labCommands['lab.clear_faults'], () => remove('/faults')),
    'lab.requests': as(labCommands['lab.requests'], ({ limit, after }) =>
      get(after === undefined ? `/requests?limit=${limit}` : inPath`/requests?limit=${String(limit)}&after=${after}`),
    ),
    'lab.request': as(labCommands['lab.request'], ({ request_id }) => get(inPath`/requests/${request_id}`)),
    'lab.clear_requests': as(labCommands['lab.clear_requests'], () => remove('/requests')),
    'lab.keys': as(
      labCommands['lab.keys'],
      () => get('/keys'),
      ({ ownKey }) => ({ own_key: ownKey }),
    ),
    'lab.add_key': as(labCommands['lab.add_key'], ({ key }) => post('/keys', key)),
    'lab.change_key': as(labCommands['lab.change_key'], ({ key, change }) => ({
      method: 'PATCH',
      path: inPath`/keys/${key}`,
      body: change,
    })),
    'lab.revoke_key': as(labCommands['lab.revoke_key'], ({ key }) => remove(inPath`/keys/${key}`)),
    'lab.change_settings': as(labCommands['lab.change_settings'], ({ changes }) => ({
      method: 'PATCH',
      path: '/settings',
      body: changes,
    })),
    'lab.fail_transaction': as(labCommands['lab.fail_transaction'], ({ transaction_id, code }) =>
      post(inPath`/transactions/${transaction_id}/fail`, { code }),
    ),
    'lab.reset': as(labCommands['lab.reset'], (fixtures) => post('/reset', fixtures)),
  };
}

function get(path: string): ControlCall {
  return { method: 'GET', path };
}

function post(path: string, body?: unknown): ControlCall {
  return { method: 'POST', path, body };
}

function remove(path: string): ControlCall {
  return { method: 'DELETE', path };
}

/** A path with its values percent-encoded. */
function inPath(texts: TemplateStringsArray, ...values: readonly string[]): string {
  return texts.reduce((path, text, index) => `${path}${encodeURIComponent(values[index - 1] ?? '')}${text}`);
}

const refusalSchema = z.object({
  error: z.object({ message: z.string(), details: z.array(z.unknown()).optional() }),
});
const problemSchema = z.object({ field: z.string() });

/** Why the control API refused, with the first field that it names. */
function refused(body: unknown): TillReply<never> {
  const { error } = refusalSchema.parse(body);
  const problem = problemSchema.safeParse(error.details?.[0]);
  return failed('lab_refused', error.message, {
    ...(problem.success ? { field: problem.data.field } : {}),
    ...(error.details === undefined ? {} : { details: error.details }),
  });
}
