import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { win32 } from 'node:path';
import { windowsProgram } from '../../machine/system-programs.ts';
import { serviceName } from '../../machine/windows-access.ts';
import { administratorsSid, systemSid } from '../../machine/windows-rights.ts';
import { agentArguments, type ServiceFacts, type ServiceManager } from './service-manager.ts';
import type { Step } from './steps.ts';

const service = serviceName;
const group = 'Tillbridge';
/** The service's own identity, which no other service of the same account has. */
const ownIdentity = `NT SERVICE\\${service}`;
const system = `*${systemSid}`;
const administrators = `*${administratorsSid}`;
/** By number: Windows calls them differently in each language. */
const users = '*S-1-5-32-545';
const icacls = windowsProgram('icacls.exe');
const sc = windowsProgram('sc.exe');

/** What WinSW 2 makes the service from (https://github.com/winsw/winsw, MIT). */
function winswDescription(facts: ServiceFacts): string {
  const lines = [
    element('id', service),
    element('name', 'Tillbridge'),
    element('description', 'Loyalty points for the tills of this machine.'),
    element('executable', facts.program),
    ...agentArguments(facts).map((argument) => element('argument', argument)),
    element('startmode', 'Automatic'),
    '<serviceaccount>',
    `  ${element('username', 'NT AUTHORITY\\LocalService')}`,
    '</serviceaccount>',
    '<onfailure action="restart" delay="1 sec"/>',
    '<onfailure action="restart" delay="10 sec"/>',
    element('resetfailure', '1 hour'),
    element('stoptimeout', '30 sec'),
    element('logpath', win32.join(facts.places.dataDir, 'logs')),
    '<log mode="roll"/>',
  ];
  return `<?xml version="1.0" encoding="utf-8"?>\n<service>\n${lines.map((line) => `  ${line}\n`).join('')}</service>\n`;
}

function element(name: string, text: string): string {
  // WinSW expands what stands between percent signs; no variable has an empty name.
  const safe = text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
  return `<${name}>${safe}</${name}>`;
}

function wrapperPath({ places }: ServiceFacts): string {
  return places.description.replace(/\.xml$/, '.exe');
}

/** Closes a folder to everybody else. @param more further rights, as icacls writes them */
function closed(path: string, more: readonly string[]): Step {
  const rights = [system, administrators].map((who) => `${who}:(OI)(CI)F`);
  return { kind: 'run', command: [icacls, path, '/inheritance:r', '/grant:r', ...rights, ...more] };
}

const ownIdentityHas = `${ownIdentity}:(OI)(CI)F`;

/**
 * Every user may add to `C:\\ProgramData`, and so may have made the folder before and own it. The agent looks again at
 * each start.
 */
function taken(path: string): Step {
  return { kind: 'run', command: [icacls, path, '/setowner', administrators], mayFail: true };
}

function sharedFolder({ places }: ServiceFacts): string {
  return win32.dirname(places.dataDir);
}

/** While the service runs nobody can write over its program. WinSW's `stop` alone does not wait until it has ended. */
function ended(facts: ServiceFacts): Step {
  return { kind: 'run', command: [wrapperPath(facts), 'stopwait'], mayFail: true };
}

export const windowsService: ServiceManager = {
  whyNot({ wrapper, program }) {
    if (!/\\Program Files/i.test(program)) return `${program}: install Tillbridge for all users first (/allusers)`;
    if (wrapper === null)
      return '--wrapper: is needed: name WinSW-x64.exe (https://github.com/winsw/winsw, version 2.12)';
    return existsSync(wrapper) ? null : `--wrapper: ${wrapper} does not exist`;
  },
  description: winswDescription,
  install: (facts) => [
    {
      kind: 'run',
      command: [windowsProgram('net.exe'), 'localgroup', group, '/add', '/comment:May open Tillbridge'],
      mayFail: true,
    },
    { kind: 'folder', path: facts.places.dataDir },
    { kind: 'folder', path: facts.places.attachFolder },
    ...[sharedFolder(facts), facts.places.dataDir, facts.places.attachFolder].map(taken),
    closed(sharedFolder(facts), [`${users}:(OI)(CI)RX`]),
    // One that is installed already: WinSW installs none over it.
    ended(facts),
    { kind: 'run', command: [wrapperPath(facts), 'uninstall'], mayFail: true },
    { kind: 'copy', from: facts.wrapper ?? '', to: wrapperPath(facts) },
    { kind: 'write', path: facts.places.description, text: winswDescription(facts) },
    { kind: 'run', command: [wrapperPath(facts), 'install'] },
    { kind: 'run', command: [sc, 'sidtype', service, 'unrestricted'] },
    closed(facts.places.dataDir, [ownIdentityHas]),
    closed(facts.places.attachFolder, [ownIdentityHas, `${group}:(OI)(CI)RX`]),
    ...(facts.backupFolder === null
      ? []
      : [{ kind: 'run', command: [icacls, facts.backupFolder, '/grant', `${ownIdentity}:(OI)(CI)M`] } as const]),
    { kind: 'run', command: [wrapperPath(facts), 'start'] },
  ],
  remove: (facts) => [
    ended(facts),
    { kind: 'run', command: [wrapperPath(facts), 'uninstall'] },
    { kind: 'delete', path: facts.places.description },
    { kind: 'delete', path: wrapperPath(facts) },
  ],
  state() {
    const ask = (what: string): string => spawnSync(sc, [what, service], { encoding: 'utf8' }).stdout ?? '';
    return {
      isRunning: /STATE\s*:\s*4\b/.test(ask('query')),
      isEnabled: /START_TYPE\s*:\s*2\b/.test(ask('qc')),
      runningSinceMs: null,
    };
  },
  whereItSaysWhy: 'logs\\tillbridge-service.err.log in the data folder',
  howToStop: 'sc.exe stop tillbridge',
  letIn: `net localgroup ${group} LOGIN /add`,
};
