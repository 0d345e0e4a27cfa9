import type { Mode } from '../../../shared/till/modes.ts';
import type { FlagSpec } from '../flags.ts';

/** What was given to a command. */
export interface Given {
  readonly values: ReadonlyMap<string, string>;
  readonly switches: ReadonlySet<string>;
  /** In the order of the command's `words`. */
  readonly words: readonly string[];
  /** Of the agent that is meant. */
  readonly dataDir: string;
  /** That `--mode` names; null: the till's own. */
  readonly mode: Mode | null;
  readonly json: boolean;
}

/** One command of `npm run tillbridge`. */
export interface TillbridgeCommand {
  /** In one line, for the list of commands. */
  readonly summary: string;
  /** What `--help` tells besides: what it does, how it ends. */
  readonly about: string;
  /** Beside `--data-dir`, `--json` and `--help`, which every command has, and `--mode`. */
  readonly flags: readonly FlagSpec[];
  /** What stands after its name, such as `REF`. */
  readonly words: readonly string[];
  /** It works on the till's settings, programs or folder, whatever the mode: it takes no `--mode`. */
  readonly worksOnWholeTill?: boolean;
  /** It works on the machine and not on a data folder: the administrator stays the administrator. */
  readonly staysAdministrator?: boolean;
  /** @returns the exit code: see exit-codes.ts */
  readonly run: (given: Given) => Promise<number>;
}
