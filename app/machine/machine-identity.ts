import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, realpathSync } from 'node:fs';
import { join } from 'node:path';
import { windowsProgram } from './system-programs.ts';

/** What tells a machine from others is asked of it in these ways. */
export interface MachineReads {
  readonly platform: NodeJS.Platform;
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** @returns null when it is not there, or may not be read */
  readonly text: (path: string) => string | null;
  /** Standard output of a program of the system; null when it fails. */
  readonly output: (program: string, args: readonly string[]) => string | null;
  /** Hardware addresses of the network cards that are built in. */
  readonly cards: () => readonly string[];
}

/**
 * Tells this machine from every other one, also from one that began as a copy of its disk: the system's own id is copied
 * with the disk, so what belongs to the hardware stands beside it where every user may read that.
 *
 * @returns 32 hexadecimal digits, from which nobody learns an id of the machine; null when the system does not say
 * all of it now
 */
export function machineIdentity(reads: MachineReads = systemReads): string | null {
  const facts = factsOf(reads);
  if (facts === null) return null;
  return createHash('sha256')
    .update(`tillbridge machine\n${facts.join('\n')}`)
    .digest('hex')
    .slice(0, 32);
}

const guidShape = /\{?[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}\}?/i;

/** @returns null where a part is missing that the next start may find: it would look like another machine */
function factsOf({ platform, environment, text, output, cards }: MachineReads): readonly string[] | null {
  if (platform === 'win32') {
    const reg = windowsProgram('reg.exe', environment);
    const value = (key: string, name: string) => guidIn(output(reg, ['query', key, '/v', name]));
    const installed = value('HKLM\\SOFTWARE\\Microsoft\\Cryptography', 'MachineGuid');
    // The UUID of the main board, as Windows found it when it started last.
    const board = value('HKLM\\SYSTEM\\HardwareConfig', 'LastConfig');
    return installed === null || board === null ? null : [installed, board];
  }
  if (platform === 'darwin') {
    const board = guidIn(output('/usr/sbin/ioreg', ['-rd1', '-c', 'IOPlatformExpertDevice']));
    return board === null ? null : [board];
  }
  const builtIn = cards();
  // Their drivers may be loaded after the agent.
  if (builtIn.length === 0) return null;
  const installed = text('/etc/machine-id')?.trim() || null;
  return [...(installed === null ? [] : [installed]), ...builtIn];
}

function guidIn(answer: string | null): string | null {
  const line = answer?.split('\n').find((one) => /REG_SZ|IOPlatformUUID/.test(one)) ?? '';
  return guidShape.exec(line)?.[0].toLowerCase() ?? null;
}

/** A network card that comes and goes with a cable, or that makes up its address, says nothing of the machine. */
function builtInCards(folder = '/sys/class/net'): readonly string[] {
  try {
    return readdirSync(folder)
      .filter((name) => isBuiltIn(join(folder, name)))
      .map((name) => readFileSync(join(folder, name, 'address'), 'utf8').trim())
      .toSorted();
  } catch {
    return [];
  }
}

function isBuiltIn(card: string): boolean {
  if (!existsSync(join(card, 'device')) || existsSync(join(card, 'phy80211'))) return false;
  const isItsOwn = readFileSync(join(card, 'addr_assign_type'), 'utf8').trim() === '0';
  return isItsOwn && !realpathSync(join(card, 'device')).includes('/usb');
}

const answersWithinMs = 5_000;

const systemReads: MachineReads = {
  platform: process.platform,
  environment: process.env,
  text(path) {
    try {
      return readFileSync(path, 'utf8');
    } catch {
      return null;
    }
  },
  output(program, args) {
    try {
      const stdio: ['ignore', 'pipe', 'ignore'] = ['ignore', 'pipe', 'ignore'];
      return execFileSync(program, args, { encoding: 'utf8', timeout: answersWithinMs, windowsHide: true, stdio });
    } catch {
      return null;
    }
  },
  cards: builtInCards,
};
