import { spawnSync } from 'node:child_process';
import { posix } from 'node:path';
import { whyNotAdministrator } from './administrator.ts';
import { agentArguments, type ServiceFacts, type ServiceManager } from './service-manager.ts';

const label = 'org.tillbridge.agent';
const user = '_tillbridge';
/** Of the numbers that macOS leaves to services. */
const userNumber = '399';

/** What launchd reads. It cannot tell exit codes apart: what only a person can change is tried again every ten seconds. */
function launchdDescription(facts: ServiceFacts): string {
  const command = [facts.program, ...agentArguments(facts)];
  return `<?xml version="1.0" encoding="UTF-8"?>
<!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" "http://www.apple.com/DTDs/PropertyList-1.0.dtd">
<plist version="1.0">
<dict>
  <key>Label</key>
  <string>${label}</string>
  <key>UserName</key>
  <string>${user}</string>
  <key>GroupName</key>
  <string>${user}</string>
  <key>ProgramArguments</key>
  <array>
${command.map((word) => `    <string>${escaped(word)}</string>\n`).join('')}  </array>
  <key>RunAtLoad</key>
  <true/>
  <key>KeepAlive</key>
  <true/>
  <key>ExitTimeOut</key>
  <integer>30</integer>
  <key>Umask</key>
  <integer>63</integer>
  <key>StandardErrorPath</key>
  <string>${escaped(errorFile(facts))}</string>
</dict>
</plist>
`;
}

function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}

function errorFile({ places }: Pick<ServiceFacts, 'places'>): string {
  return posix.join(places.dataDir, 'agent.err.log');
}

function folder(path: string, mode: string) {
  return { kind: 'run', command: ['install', '-d', '-o', user, '-g', user, '-m', mode, path] } as const;
}

function account(property: string, value: string) {
  return { kind: 'run', command: ['dscl', '.', '-create', `/Users/${user}`, property, value] } as const;
}

export const launchd: ServiceManager = {
  whyNot({ program }) {
    const notAllowed = whyNotAdministrator();
    if (notAllowed !== null) return notAllowed;
    return program.startsWith('/Users/') ? `A service cannot read ${program}: put Tillbridge into /Applications` : null;
  },
  description: launchdDescription,
  install: (facts) => [
    { kind: 'run', command: ['dseditgroup', '-o', 'create', '-i', userNumber, user], mayFail: true },
    { kind: 'run', command: ['dscl', '.', '-create', `/Users/${user}`] },
    account('UniqueID', userNumber),
    account('PrimaryGroupID', userNumber),
    account('UserShell', '/usr/bin/false'),
    account('NFSHomeDirectory', '/var/empty'),
    folder(facts.places.dataDir, '0700'),
    folder(facts.places.attachFolder, '0750'),
    { kind: 'run', command: ['launchctl', 'bootout', `system/${label}`], mayFail: true },
    { kind: 'write', path: facts.places.description, text: launchdDescription(facts) },
    { kind: 'run', command: ['launchctl', 'bootstrap', 'system', facts.places.description] },
  ],
  remove: ({ places }) => [
    { kind: 'run', command: ['launchctl', 'bootout', `system/${label}`], mayFail: true },
    { kind: 'delete', path: places.description },
  ],
  state() {
    const { stdout } = spawnSync('launchctl', ['print', `system/${label}`], { encoding: 'utf8' });
    const isRunning = /^\s*state = running$/m.test(stdout ?? '');
    return { isRunning, isEnabled: (stdout ?? '') !== '', runningSinceMs: null };
  },
  whereItSaysWhy: '/Library/Application Support/Tillbridge/data/agent.err.log',
  howToStop: 'sudo launchctl bootout system/org.tillbridge.agent',
  letIn: `sudo dseditgroup -o edit -a LOGIN -t user ${user}`,
};
