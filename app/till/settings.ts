import type { z } from 'zod';
import type { TillAnswer, TillReply } from '../../shared/till/api.ts';
import type { ConnectionLine } from '../../shared/till/connection-check.ts';
import { settingsCommands } from '../../shared/till/settings-commands.ts';
import type { ShownSetting } from '../../shared/till/settings-views.ts';
import type { PosTokens } from '../bridge/pos-tokens.ts';
import { settingRows } from '../config/layers.ts';
import type { Settings } from '../config/settings.ts';
import type { SettingFact, SettingsEditor } from '../config/settings-editor.ts';
import type { AgentCore } from '../core/agent-core.ts';
import { builtInLines, unaskedLines } from '../doctor/connection-lines.ts';
import type { AddOutcome } from '../people/people.ts';
import { personView } from '../people/person-view.ts';
import { command, type Handlers } from './command.ts';
import { asTillManager } from './manager-pin.ts';
import { failed, succeeded } from './replies.ts';

/** What the settings screen changes, apart from the core. */
export interface SettingsRoom extends Pick<SettingsEditor, 'read' | 'change' | 'preview'> {
  readonly tokens: Pick<PosTokens, 'list' | 'make' | 'revoke'>;
  /** Sends the service one cheap request over the network. */
  readonly testConnection: (service: {
    readonly baseUrl: string;
    readonly apiKey: string;
    readonly tls: Settings['tls'];
  }) => Promise<readonly ConnectionLine[]>;
  /** The time by this machine's clock. */
  readonly nowMs: () => number;
}

type Input<C extends keyof typeof settingsCommands> = z.output<(typeof settingsCommands)[C]['input']>;
type Reply<C extends keyof typeof settingsCommands> = Promise<TillReply<TillAnswer<C>>>;

/** The settings screen's commands. On a till with managers each needs a manager's PIN. */
export class SettingsCommands {
  readonly #core: Pick<AgentCore, 'people'>;
  readonly #room: SettingsRoom;
  readonly #onFault: (error: unknown) => void;

  /** @param onFault called with the reason when something could not be written; the page learns only that it failed */
  constructor(core: Pick<AgentCore, 'people'>, room: SettingsRoom, onFault: (error: unknown) => void) {
    this.#core = core;
    this.#room = room;
    this.#onFault = onFault;
  }

  read({ pin }: Input<'settings.read'>): Reply<'settings.read'> {
    return this.#asManager(pin, async () => {
      const view = await this.#room.read();
      const settings = view.settings.map((fact) => shownSetting(fact));
      return { ...view, settings };
    });
  }

  change({ patch, confirmed, pin }: Input<'settings.change'>): Reply<'settings.change'> {
    return this.#writing(pin, (by) => this.#room.change(patch, { isConfirmed: confirmed, by }));
  }

  testConnection({ patch, pin }: Input<'settings.test_connection'>): Reply<'settings.test_connection'> {
    return this.#asManager(pin, async () => {
      const preview = await this.#room.preview(patch);
      if (preview.kind === 'refused') return { kind: 'refused', problems: [...preview.problems] };
      return { kind: 'tested', lines: [...(await this.#linesOf(preview.settings))] };
    });
  }

  listTokens({ pin }: Input<'tokens.list'>): Reply<'tokens.list'> {
    return this.#asManager(pin, async () => ({ tokens: [...this.#room.tokens.list()] }));
  }

  makeToken({ name, prefix, pin }: Input<'tokens.make'>): Reply<'tokens.make'> {
    return this.#writing(pin, (by) =>
      this.#room.tokens.make(name, prefix, { nowMs: this.#room.nowMs(), isShared: false, by }),
    );
  }

  revokeToken({ name, pin }: Input<'tokens.revoke'>): Reply<'tokens.revoke'> {
    return this.#writing(pin, async (by) => ({ revoked: await this.#room.tokens.revoke(name, by) }));
  }

  listPeople({ pin }: Input<'people.list'>): Reply<'people.list'> {
    return this.#asManager(pin, async () => ({
      people: this.#core.people.list().map((person) => personView(person, this.#core.people)),
    }));
  }

  addManager({ name, new_pin, pin }: Input<'people.add_manager'>): Reply<'people.add_manager'> {
    return this.#writing(pin, async (by) => this.#addedView(await this.#core.people.addManager(name, new_pin, by)));
  }

  addCashier({ name, employee_ref, badge, pin }: Input<'people.add_cashier'>): Reply<'people.add_cashier'> {
    return this.#writing(pin, async (by) =>
      this.#addedView(await this.#core.people.addCashier({ name, employeeRef: employee_ref, badge }, by)),
    );
  }

  removePerson({ name, pin }: Input<'people.remove'>): Reply<'people.remove'> {
    return this.#writing(pin, async (by) => ({ removed: await this.#core.people.remove(name, by) }));
  }

  async #linesOf({ mode, base_url: baseUrl, api_key: apiKey, tls }: Settings): Promise<readonly ConnectionLine[]> {
    if (baseUrl === null) return mode === 'sandbox' ? builtInLines() : unaskedLines('no_address');
    return apiKey === null ? unaskedLines('no_key') : this.#room.testConnection({ baseUrl, apiKey, tls });
  }

  #addedView(outcome: AddOutcome): TillAnswer<'people.add_manager'> {
    if (outcome.kind === 'added') return { kind: 'added', person: personView(outcome.person, this.#core.people) };
    return { kind: 'invalid', field: outcome.field, problem: outcome.problem };
  }

  /**
   * Writes, and answers a failure of the disk, the database or the secret store. A failure leaves everything unchanged.
   */
  #writing<Answer>(pin: string | undefined, write: (by: string | null) => Promise<Answer>): Promise<TillReply<Answer>> {
    return asTillManager(this.#core, pin, async (by) => {
      try {
        return succeeded(await write(by));
      } catch (error) {
        this.#onFault(error);
        return failed('not_saved', 'The settings could not be written. The log has the reason.');
      }
    });
  }

  #asManager<Answer>(pin: string | undefined, answer: () => Promise<Answer>): Promise<TillReply<Answer>> {
    return asTillManager(this.#core, pin, async () => succeeded(await answer()));
  }
}

/** The commands of the settings screen. */
export function settingsHandlers(commands: SettingsCommands): Handlers<keyof typeof settingsCommands> {
  return {
    'settings.read': command(settingsCommands['settings.read'], (input) => commands.read(input)),
    'settings.change': command(settingsCommands['settings.change'], (input) => commands.change(input)),
    'settings.test_connection': command(settingsCommands['settings.test_connection'], (input) =>
      commands.testConnection(input),
    ),
    'tokens.list': command(settingsCommands['tokens.list'], (input) => commands.listTokens(input)),
    'tokens.make': command(settingsCommands['tokens.make'], (input) => commands.makeToken(input)),
    'tokens.revoke': command(settingsCommands['tokens.revoke'], (input) => commands.revokeToken(input)),
    'people.list': command(settingsCommands['people.list'], (input) => commands.listPeople(input)),
    'people.add_manager': command(settingsCommands['people.add_manager'], (input) => commands.addManager(input)),
    'people.add_cashier': command(settingsCommands['people.add_cashier'], (input) => commands.addCashier(input)),
    'people.remove': command(settingsCommands['people.remove'], (input) => commands.removePerson(input)),
  };
}

function shownSetting(fact: SettingFact): ShownSetting {
  const row = settingRows.find(({ name }) => name === fact.name);
  if (row === undefined) throw new Error(`There is no setting ${fact.name}`);
  const { section, kind, defaultValue } = row;
  return { ...fact, section, kind, default_value: defaultValue };
}
