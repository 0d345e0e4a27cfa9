import { batch, type ReadonlySignal, type Signal, signal } from '@preact/signals';
import type { TillError } from '../../shared/till/api.ts';
import type { TokenFacts } from '../../shared/till/people-views.ts';
import type { ManagerSession } from './session.ts';

type TokenProblem = 'nameEmpty' | 'nameTaken' | 'name' | 'prefixEmpty' | 'prefix';

/** A token that is being made. */
interface TokenForm {
  readonly name: string;
  readonly prefix: string;
  readonly problem: TokenProblem | null;
  readonly busy: boolean;
  readonly failure: TillError | null;
}

/** The token that is about to be revoked, while the screen asks. */
interface Revoking {
  readonly name: string;
  readonly busy: boolean;
  readonly failure: TillError | null;
}

export interface TokensState {
  /** Null until the tokens were read. */
  readonly tokens: ReadonlySignal<readonly TokenFacts[] | null>;
  readonly form: ReadonlySignal<TokenForm | null>;
  /** The new token. It is shown only once. */
  readonly made: ReadonlySignal<{ readonly name: string; readonly token: string } | null>;
  readonly revoking: ReadonlySignal<Revoking | null>;
  readonly read: () => Promise<void>;
  readonly begin: () => void;
  readonly type: (part: Partial<Pick<TokenForm, 'name' | 'prefix'>>) => void;
  readonly make: () => Promise<void>;
  readonly askRevoke: (name: string) => void;
  readonly revoke: () => Promise<void>;
  /** Closes what is open. A new token is forgotten. */
  readonly close: () => void;
}

const emptyForm: TokenForm = { name: '', prefix: '', problem: null, busy: false, failure: null };

export function createTokens(session: ManagerSession): TokensState {
  const tokens: Signal<readonly TokenFacts[] | null> = signal(null);
  const form: Signal<TokenForm | null> = signal(null);
  const made: TokensState['made'] & Signal = signal(null);
  const revoking: Signal<Revoking | null> = signal(null);

  const read = async (): Promise<void> => {
    // Behind the gate it is read again when the gate opens.
    if (session.gate.value !== null) return;
    const reply = await session.ask('tokens.list', {});
    if (reply.ok) tokens.value = reply.value.tokens;
  };

  const problemOf = ({ name, prefix }: TokenForm): TokenProblem | null => {
    if (name === '') return 'nameEmpty';
    if (tokens.value?.some((known) => known.name === name) === true) return 'nameTaken';
    return prefix === '' ? 'prefixEmpty' : null;
  };

  return {
    tokens,
    form,
    made,
    revoking,
    read,
    begin() {
      form.value = emptyForm;
    },
    type(part) {
      if (form.value?.busy === false) form.value = { ...form.value, ...part, problem: null, failure: null };
    },
    async make() {
      const now = form.value;
      if (now === null || now.busy) return;
      const given = { ...now, name: now.name.trim(), prefix: now.prefix.trim() };
      const problem = problemOf(given);
      if (problem !== null) {
        form.value = { ...now, problem };
        return;
      }
      const asked: TokenForm = { ...given, busy: true, failure: null };
      form.value = asked;
      const reply = await session.ask('tokens.make', { name: given.name, prefix: given.prefix });
      // A form that was closed meanwhile stays closed: somebody else may stand there, and a token is not for them.
      if (form.value !== asked) return read();
      if (!reply.ok) form.value = { ...given, busy: false, failure: reply.error };
      else if (reply.value.kind === 'invalid') form.value = { ...given, busy: false, problem: reply.value.field };
      else {
        const { token, facts } = reply.value;
        batch(() => {
          form.value = null;
          made.value = { name: facts.name, token };
        });
        await read();
      }
    },
    askRevoke(name) {
      revoking.value = { name, busy: false, failure: null };
    },
    async revoke() {
      const now = revoking.value;
      if (now === null || now.busy) return;
      const asked: Revoking = { ...now, busy: true, failure: null };
      revoking.value = asked;
      const reply = await session.ask('tokens.revoke', { name: now.name });
      if (revoking.value === asked) revoking.value = reply.ok ? null : { ...now, busy: false, failure: reply.error };
      await read();
    },
    close() {
      batch(() => {
        form.value = null;
        made.value = null;
        revoking.value = null;
      });
    },
  };
}
