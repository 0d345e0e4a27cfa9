import { resolve } from 'node:path';
import type { RunningAgent } from '../agent/agent.ts';
import { defaultDataDir } from '../config/data-dir.ts';
import { becomeOwnerOf } from '../machine/become-owner.ts';
import { quoted, typed } from '../machine/installed.ts';
import { agentFlags, attachFolderFlag, dataDirOf, secretsNote } from './agent-flags.ts';
import { complain } from './complain.ts';
import { exitCodes } from './exit-codes.ts';
import { type FlagSpec, helpText, parseFlags } from './flags.ts';
import type { HostOptions } from './host.ts';
import { hostAfterCommands, hostWhenFree } from './host-when-free.ts';
import { rendererDir } from './renderer-dir.ts';
import { stopSignal } from './stop-signal.ts';

const flags: readonly FlagSpec[] = [
  ...agentFlags,
  { name: 'ui', value: null, help: 'serve the cashier screen on loopback, for a kiosk browser' },
  attachFolderFlag,
  { name: 'service', value: null, help: 'as a service: print no token, and wait until folder and port are free' },
  { name: 'json', value: null, help: 'one JSON line on standard output when it is ready, and nothing else' },
  { name: 'help', value: null, help: 'this text' },
];

/**
 * `npm run agent`: the agent with no window, until it is told to stop.
 *
 * @returns the exit code
 */
export async function agentCommand(argv: readonly string[]): Promise<number> {
  const parsed = parseFlags(argv, flags);
  if (parsed.kind === 'help') {
    process.stdout.write(
      helpText(typed('agent [flags]'), `Runs the agent with no window, until Ctrl-C.\n${secretsNote}`, flags),
    );
    return exitCodes.well;
  }
  if (parsed.kind === 'wrong') return complain(parsed.problems, exitCodes.wrongUse);
  const stopped = stopSignal();
  becomeOwnerOf(dataDirOf(parsed.values, process.env));
  const attachFolder = parsed.values.get(attachFolderFlag.name);
  const isService = parsed.switches.has('service');
  const options: HostOptions = {
    values: parsed.values,
    environment: process.env,
    ui: parsed.switches.has('ui'),
    rendererDir,
    attachFolder: attachFolder === undefined ? null : resolve(attachFolder),
  };
  const outcome = isService ? await hostWhenFree(options, stopped) : await hostAfterCommands(options, stopped);
  if (outcome === null) return exitCodes.well;
  if (outcome.kind === 'refused') return complain(outcome.problems, outcome.exitCode);
  const { agent, notes } = outcome;
  for (const note of notes) process.stderr.write(`${note}\n`);
  if (!isService) {
    process.stdout.write(parsed.switches.has('json') ? readyLine(agent) : readyWords(agent));
  }
  await stopped;
  await agent.close();
  return exitCodes.well;
}

/** The one line of `--json` (design "Running it"). */
export function readyLine(agent: RunningAgent): string {
  const line = {
    ready: true,
    base_url: agent.baseUrl,
    token: agent.token,
    ui_url: agent.uiUrl,
    control_url: agent.controlUrl,
    control_key: agent.controlKey,
    mode: agent.mode,
    data_dir: agent.dataDir,
    // Only where the shop has turned the customers' screen on: programs that read this line know the other fields.
    ...(agent.customerUrl === null ? {} : { customer_url: agent.customerUrl }),
  };
  return `${JSON.stringify(line)}\n`;
}

export function readyWords(agent: RunningAgent): string {
  const lines = [
    `Tillbridge runs in ${agent.mode} mode; its data is in ${agent.dataDir}.`,
    `POS programs:   ${agent.baseUrl}`,
    `POS token:      ${showing('main', agent.dataDir)}`,
  ];
  if (agent.uiUrl !== null) lines.push(`Cashier screen: ${agent.uiUrl}`, '                (this address works once)');
  const forCustomers = customerWords(agent);
  if (forCustomers !== '') lines.push(forCustomers.trimEnd());
  if (agent.controlUrl !== null)
    lines.push(`Sandbox:        ${agent.controlUrl}`, `Sandbox key:    ${showing('control', agent.dataDir)}`);
  lines.push('Stop it with Ctrl-C.');
  return `${lines.join('\n')}\n`;
}

/** Where customers have a screen: its address for a browser. */
export function customerWords({ customerUrl }: Pick<RunningAgent, 'customerUrl'>): string {
  return customerUrl === null ? '' : `For customers:  ${customerUrl}\n                (this address works once)\n`;
}

/** A terminal keeps what is printed, and others look at it: it gets the command instead of the secret. */
function showing(name: 'main' | 'control', dataDir: string): string {
  const folder = dataDir === defaultDataDir(process.env) ? '' : ` --data-dir ${quoted(dataDir)}`;
  return typed(`tokens show ${name}${folder}`);
}
