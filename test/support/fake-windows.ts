import { posix } from 'node:path';
import type { WindowsPrograms } from '../../app/machine/windows-access.ts';

/** Rights of one file or folder: its own entries, and whether it takes those of the folder above. */
interface Rights {
  owner: string;
  own: Map<string, string>;
  inherits: boolean;
}

/**
 * Windows' own programs over access lists that are kept here: `powershell` shows them as SDDL, `icacls` changes them and
 * `whoami` says who asks. The paths are those of real files, so that the folder itself is real.
 */
export class FakeWindows {
  readonly #rights = new Map<string, Rights>();
  readonly #above: ReadonlyMap<string, string>;
  readonly ran: string[] = [];
  user = 'S-1-5-21-1-2-3-1001';
  /** Of the process: `S-1-16-12288` is an elevated administrator. */
  label = 'S-1-16-8192';
  hasPowerShell = true;
  mayChange = true;

  /** @param above what the folder above hands down, by who */
  constructor(above: Readonly<Record<string, string>>) {
    this.#above = new Map(Object.entries(above));
  }

  programs(environment: Readonly<Record<string, string>>): WindowsPrograms {
    return {
      environment: { SystemRoot: 'C:\\Windows', ...environment },
      run: (program, args, { input = '', environment: given }) => {
        this.ran.push([program, ...args].join(' '));
        if (program === 'C:\\Windows\\System32\\whoami.exe') return this.#whoami();
        if (program === 'C:\\Windows\\System32\\icacls.exe') return this.#icacls(args);
        return this.#powershell(given.TILLBRIDGE_LOOK_AT ?? '', input);
      },
    };
  }

  /** Of a path; like its neighbours before anybody changed it. */
  rights(path: string): Rights {
    const rights = this.#rights.get(path) ?? { owner: this.user, own: new Map<string, string>(), inherits: true };
    this.#rights.set(path, rights);
    return rights;
  }

  sddl(path: string): string {
    const { owner, own, inherits } = this.rights(path);
    const entries = [...own].map(([who, rights]) => `(A;;${rights};;;${who})`);
    const inherited = inherits ? [...this.#handedDown(path)].map(([who, rights]) => `(A;ID;${rights};;;${who})`) : [];
    return `O:${owner}G:DUD:${inherits ? 'AI' : 'PAI'}${[...entries, ...inherited].join('')}`;
  }

  #handedDown(path: string): ReadonlyMap<string, string> {
    const above = posix.dirname(path);
    const known = this.#rights.get(above);
    if (known === undefined) return this.#above;
    return new Map([...(known.inherits ? this.#handedDown(above) : []), ...known.own]);
  }

  #whoami(): string {
    return `"shop\\mona","${this.user}"\r\n\r\n"Jeder","Bekannte Gruppe","S-1-1-0","..."\r\n"Label","Bezeichnung","${this.label}",""\r\n`;
  }

  #powershell(folder: string, input: string): string | null {
    if (!this.hasPowerShell) return null;
    const names = input.split('\r\n').slice(0, -1);
    return names.map((name, row) => `${row} ${this.sddl(posix.join(folder, name))}\r\n`).join('');
  }

  #icacls([path = '', ...args]: readonly string[]): string | null {
    if (!this.mayChange) return null;
    const rights = this.rights(path);
    let verb = '';
    for (const word of args) {
      if (word.startsWith('/')) verb = word;
      const [, who = '', inheritance = '', right = ''] = /^\*(S-[\d-]+)(?::(\(OI\)\(CI\))?(\w+))?$/.exec(word) ?? [];
      if (verb === '/inheritance:r') rights.inherits = false;
      if (verb === '/reset') Object.assign(rights, { own: new Map(), inherits: true });
      if (verb === '/grant:r' && who !== '') rights.own.set(who, inheritance !== '' && right === 'F' ? 'FA' : 'FR');
      if (verb === '/remove:g') rights.own.delete(who);
    }
    return '';
  }
}
