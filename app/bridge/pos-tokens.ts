import { z } from 'zod';
import { toInstant } from '../../shared/lib/clock.ts';
import { oneByOne } from '../../shared/lib/one-by-one.ts';
import { maxPrefixLength, maxTokenNameLength } from '../../shared/till/limits.ts';
import { mainTokenName } from '../../shared/till/main-token.ts';
import { prefixShape, tokenNameShape } from '../../shared/till/name-shapes.ts';
import type { TokenFacts } from '../../shared/till/people-views.ts';
import type { TokenChange } from '../audit/audit-events.ts';
import {
  keepBridgeToken,
  keptBridgeToken,
  newBridgeToken,
  type SecretStore,
  SecretsError,
} from '../machine/secrets.ts';
import type { PosToken } from './tokens.ts';

/** The secret's name for all tokens but the first. */
const secretName = 'pos_tokens';
const mainShareName = 'main_token_is_shared';

/** The name of the control token, which is not a program's. */
const controlName = 'control';

const keptSchema = z.lazy(() =>
  z.array(
    z.object({
      name: z.string(),
      token: z.string(),
      reference_prefix: z.string(),
      made_at: z.iso.datetime(),
      /** Older versions did not write it. */
      shared: z.boolean().default(false),
    }),
  ),
);
type Kept = z.infer<typeof keptSchema>[number];
/** The first token was made together with the agent. */
type MainFacts = Omit<Kept, 'made_at'> & { readonly made_at: null };

/** What the screen may show of a token, and what store IT is told beside it. */
interface OwnTokenFacts extends TokenFacts {
  /** Whether the program may see and undo what other programs and the screen took. */
  readonly shared: boolean;
}

type MakeTokenOutcome =
  | { readonly kind: 'made'; readonly token: string; readonly facts: OwnTokenFacts }
  | { readonly kind: 'invalid'; readonly field: 'name' | 'prefix'; readonly problem: string };

interface PosTokensOptions {
  readonly secrets: SecretStore;
  readonly randomBytes: (length: number) => Uint8Array;
  /** Called after the change is saved. */
  readonly onChanged?: (change: TokenChange, name: string, by: string | null) => void;
}

/** The local tokens, one for each POS program. Changes hold at once. */
export class PosTokens {
  readonly #secrets: SecretStore;
  readonly #randomBytes: (length: number) => Uint8Array;
  readonly #onChanged: PosTokensOptions['onChanged'];
  #main: string;
  #isMainShared: boolean;
  #kept: readonly Kept[];
  #all: readonly PosToken[];
  readonly #lastUsedAtMs = new Map<string, number>();
  readonly #oneByOne = oneByOne();

  private constructor(
    options: PosTokensOptions,
    {
      main,
      isMainShared,
      kept,
    }: { readonly main: string; readonly isMainShared: boolean; readonly kept: readonly Kept[] },
  ) {
    this.#secrets = options.secrets;
    this.#randomBytes = options.randomBytes;
    this.#onChanged = options.onChanged;
    this.#main = main;
    this.#isMainShared = isMainShared;
    this.#kept = kept;
    this.#all = this.#gather();
  }

  /** @throws SecretsError when the saved tokens cannot be read, or an error of the secret store */
  static async load(options: PosTokensOptions): Promise<PosTokens> {
    const main = await keptBridgeToken(options.secrets, options.randomBytes);
    const text = await options.secrets.get(secretName);
    const isMainShared = (await options.secrets.get(mainShareName)) !== null;
    return new PosTokens(options, { main, isMainShared, kept: text === null ? [] : understood(text) });
  }

  /** The agent's own token, which needs no prefix. */
  get main(): string {
    return this.#main;
  }

  get all(): readonly PosToken[] {
    return this.#all;
  }

  /** Notes that a program has called with the token. */
  noteUse(name: string, atMs: number): void {
    this.#lastUsedAtMs.set(name, atMs);
  }

  list(): readonly OwnTokenFacts[] {
    const main: MainFacts = {
      name: mainTokenName,
      reference_prefix: '',
      token: this.#main,
      made_at: null,
      shared: this.#isMainShared,
    };
    return [main, ...this.#kept].map((kept) => this.#factsOf(kept));
  }

  /**
   * Makes a token. Each token but the first has its own prefix, so that two programs never share a reference.
   *
   * @throws an error of the secret store; nothing is changed then
   */
  make(
    name: string,
    prefix: string,
    made: { readonly nowMs: number; readonly isShared: boolean; readonly by?: string | null },
  ): Promise<MakeTokenOutcome> {
    return this.#oneByOne(async () => {
      const problem = this.#problemOf(name, prefix);
      if (problem !== null) return { kind: 'invalid', ...problem };
      const token: Kept = {
        name,
        token: newBridgeToken(this.#randomBytes),
        reference_prefix: prefix,
        made_at: toInstant(made.nowMs),
        shared: made.isShared,
      };
      await this.#keep([...this.#kept, token]);
      this.#onChanged?.('token_made', name, made.by ?? null);
      return { kind: 'made', token: token.token, facts: this.#factsOf(token) };
    });
  }

  /**
   * Revokes a token. The first one is replaced by a new one, because the agent itself needs it.
   *
   * @returns whether there was such a token
   * @throws an error of the secret store; nothing is changed then
   */
  revoke(name: string, by: string | null = null): Promise<boolean> {
    return this.#oneByOne(async () => {
      if (name !== mainTokenName) {
        const rest = this.#kept.filter((kept) => kept.name !== name);
        if (rest.length === this.#kept.length) return false;
        await this.#keep(rest);
      } else {
        const token = newBridgeToken(this.#randomBytes);
        await keepBridgeToken(this.#secrets, token);
        this.#main = token;
        this.#all = this.#gather();
      }
      // A later token with the same name is another token.
      this.#lastUsedAtMs.delete(name);
      this.#onChanged?.('token_revoked', name, by);
      return true;
    });
  }

  /**
   * Allows or forbids a program to see and undo what other programs and the screen took.
   *
   * @returns whether there is such a token
   * @throws an error of the secret store; nothing is changed then
   */
  share(name: string, { isShared, by }: { readonly isShared: boolean; readonly by: string | null }): Promise<boolean> {
    const change = isShared ? 'token_shared' : 'token_unshared';
    return this.#oneByOne(async () => {
      if (name === mainTokenName) {
        if (isShared) await this.#secrets.set(mainShareName, 'yes');
        else await this.#secrets.remove(mainShareName);
        this.#isMainShared = isShared;
        this.#all = this.#gather();
        this.#onChanged?.(change, name, by);
        return true;
      }
      if (!this.#kept.some((kept) => kept.name === name)) return false;
      await this.#keep(this.#kept.map((kept) => (kept.name === name ? { ...kept, shared: isShared } : kept)));
      this.#onChanged?.(change, name, by);
      return true;
    });
  }

  #problemOf(name: string, prefix: string): { readonly field: 'name' | 'prefix'; readonly problem: string } | null {
    if (!tokenNameShape.test(name)) {
      return {
        field: 'name',
        problem: `must be 1 to ${maxTokenNameLength} letters, digits, dots, dashes or underscores`,
      };
    }
    if (name === controlName) {
      return { field: 'name', problem: `${name} is the name of the sandbox controls' key; choose another` };
    }
    if (this.list().some((known) => known.name === name)) return { field: 'name', problem: `${name} exists` };
    if (!prefixShape.test(prefix)) {
      return {
        field: 'prefix',
        problem: `must be 1 to ${maxPrefixLength} letters, digits, dots, dashes or underscores`,
      };
    }
    // When one prefix begins with another, both programs could make the same reference.
    const other = this.#kept.find(
      ({ reference_prefix: theirs }) => theirs.startsWith(prefix) || prefix.startsWith(theirs),
    );
    if (other !== undefined) {
      return { field: 'prefix', problem: `is too like ${other.reference_prefix}, which ${other.name} has` };
    }
    return null;
  }

  #factsOf({ name, token, reference_prefix, shared, made_at }: Kept | MainFacts): OwnTokenFacts {
    const usedAtMs = this.#lastUsedAtMs.get(name);
    const last_used_at = usedAtMs === undefined ? null : toInstant(usedAtMs);
    return { name, reference_prefix, shared, hint: hintOf(token), made_at, last_used_at };
  }

  async #keep(kept: readonly Kept[]): Promise<void> {
    await this.#secrets.set(secretName, JSON.stringify(kept));
    this.#kept = kept;
    this.#all = this.#gather();
  }

  #gather(): readonly PosToken[] {
    const main: PosToken = {
      name: mainTokenName,
      token: this.#main,
      referencePrefix: '',
      reach: this.#isMainShared ? 'all' : 'own_and_screen',
    };
    const others = this.#kept.map(
      ({ name, token, reference_prefix: referencePrefix, shared }): PosToken => ({
        name,
        token,
        referencePrefix,
        reach: shared ? 'all' : 'own',
      }),
    );
    return [main, ...others];
  }
}

/** @throws SecretsError */
function understood(text: string): readonly Kept[] {
  try {
    return keptSchema.parse(JSON.parse(text));
  } catch (cause) {
    throw new SecretsError(
      `${secretName} in secrets.json cannot be read; repair it, or delete it and make new tokens.`,
      {
        cause,
      },
    );
  }
}

function hintOf(token: string): string {
  return `…${token.slice(-4)}`;
}
