import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { basename } from 'node:path';
import { whyNotAdministrator } from './administrator.ts';
import { agentArguments, type ServiceFacts, type ServiceManager, type ServiceState } from './service-manager.ts';
import type { Step } from './steps.ts';

const unit = 'tillbridge.service';
const user = 'tillbridge';
const usersFile = '/etc/sysusers.d/tillbridge.conf';

/**
 * The unit. The dash before the backup folder: without it systemd starts nothing while the share is not mounted. A share
 * that is mounted later can be written to: it comes into the service with its own rights. What the unit forbids is what a till's agent never needs: everything of the machine but its own folder, its port
 * and the connection. Memory that is written and run (MemoryDenyWriteExecute) is not forbidden: V8 compiles.
 */
function systemdUnit(facts: ServiceFacts): string {
  const command = [facts.program, ...agentArguments(facts)].map(quoted).join(' ');
  return `# Written by "tillbridge-agent service install", and again by the next one. Your own lines: systemctl edit tillbridge
[Unit]
Description=Tillbridge, loyalty points for the tills of this machine
# However often it ends, it is started again.
StartLimitIntervalSec=0

[Service]
Type=exec
User=${user}
Group=${user}
ExecStart=${command}
StateDirectory=${basename(facts.places.dataDir)}
StateDirectoryMode=0700
RuntimeDirectory=${basename(facts.places.attachFolder)}
RuntimeDirectoryMode=0750
UMask=0077
Restart=always
RestartSec=1
# 2: the settings are wrong. 3: the data is out of reach. Only a person can change that.
RestartPreventExitStatus=2 3
TimeoutStopSec=30
${facts.backupFolder === null ? '' : `ReadWritePaths=${quoted(`-${facts.backupFolder}`)}\n`}
CapabilityBoundingSet=
KeyringMode=private
LockPersonality=true
NoNewPrivileges=true
PrivateDevices=true
PrivateTmp=true
ProtectClock=true
ProtectControlGroups=true
ProtectHome=true
ProtectHostname=true
ProtectKernelLogs=true
ProtectKernelModules=true
ProtectKernelTunables=true
ProtectProc=invisible
ProtectSystem=strict
RemoveIPC=true
RestrictAddressFamilies=AF_INET AF_INET6 AF_NETLINK AF_UNIX
RestrictNamespaces=true
RestrictRealtime=true
RestrictSUIDSGID=true
SystemCallArchitectures=native
SystemCallErrorNumber=EPERM
SystemCallFilter=@system-service
SystemCallFilter=~@privileged

[Install]
WantedBy=multi-user.target
`;
}

/** As systemd reads a word: it expands percent signs, and dollar signs in commands. */
function quoted(word: string): string {
  const plain = word.replaceAll('\\', '\\\\').replaceAll('"', '\\"').replaceAll('%', '%%').replaceAll('$', '$$$$');
  return /^[\w@%+=:,./-]+$/.test(plain) ? plain : `"${plain}"`;
}

/** Where systemd does not let the service look. */
const hiddenFromServices = /^\/(?:home|root|run\/user|tmp|var\/tmp)(?:\/|$)/;

export const systemd: ServiceManager = {
  whyNot({ program, entry }) {
    if (!existsSync('/run/systemd/system')) return 'No systemd runs on this machine. --print shows the unit';
    const notAllowed = whyNotAdministrator();
    if (notAllowed !== null) return notAllowed;
    const hidden = [program, entry].find((path) => hiddenFromServices.test(path));
    return hidden === undefined ? null : `A service cannot read ${hidden}: install the package, which is in /opt`;
  },
  description: systemdUnit,
  install: (facts) => [
    { kind: 'write', path: usersFile, text: `u ${user} - "Tillbridge" ${facts.places.dataDir}\n` },
    { kind: 'run', command: ['systemd-sysusers', usersFile] },
    { kind: 'write', path: facts.places.description, text: systemdUnit(facts) },
    { kind: 'run', command: ['systemctl', 'daemon-reload'] },
    { kind: 'run', command: ['systemctl', 'enable', '--quiet', unit] },
    { kind: 'run', command: ['systemctl', 'restart', unit] },
  ],
  remove: ({ places }): readonly Step[] => [
    { kind: 'run', command: ['systemctl', 'disable', '--quiet', '--now', unit], mayFail: true },
    { kind: 'delete', path: places.description },
    { kind: 'run', command: ['systemctl', 'daemon-reload'] },
    { kind: 'run', command: ['systemctl', 'reset-failed', unit], mayFail: true },
  ],
  state() {
    const asked = ['ActiveState', 'UnitFileState', 'ActiveEnterTimestamp'].map((name) => `--property=${name}`);
    const { stdout } = spawnSync('systemctl', ['show', '--timestamp=unix', ...asked, unit], { encoding: 'utf8' });
    return stateIn(stdout ?? '');
  },
  whereItSaysWhy: 'journalctl -u tillbridge -n 20',
  howToStop: 'sudo systemctl stop tillbridge',
  letIn: 'sudo usermod -aG tillbridge LOGIN',
};

/** @param shown what `systemctl show --timestamp=unix` printed */
export function stateIn(shown: string): ServiceState {
  const of = (name: string): string => new RegExp(`^${name}=(.*)$`, 'm').exec(shown)?.[1] ?? '';
  const isRunning = of('ActiveState') === 'active';
  const since = /^@(\d+)$/.exec(of('ActiveEnterTimestamp'))?.[1];
  return {
    isRunning,
    isEnabled: of('UnitFileState') === 'enabled',
    runningSinceMs: isRunning && since !== undefined ? Number(since) * 1_000 : null,
  };
}
