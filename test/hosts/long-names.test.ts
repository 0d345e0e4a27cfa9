import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { CommandProcess } from '../support/agent-process.ts';

const part = join(tmpdir(), 'x'.repeat(300));
const whole = join(tmpdir(), ...Array.from({ length: 50 }, () => 'y'.repeat(100)));

it.skipIf(process.platform === 'win32').each([
  ['a part', part],
  ['a path', whole],
])('a data folder with %s that is too long is told in one sentence', async (_what, dataDir) => {
  for (const command of [
    ['agent', '--port', '0'],
    ['tillbridge', 'status'],
    ['tillbridge', 'doctor'],
    ['tillbridge', 'settings', 'list'],
    ['tillbridge', 'settings', 'set', 'shop_name', 'North'],
    ['tillbridge', 'stop'],
    ['tillbridge', 'audit'],
  ]) {
    const ended = await new CommandProcess([...command, '--data-dir', dataDir]).ended;
    expect([command, ended]).toEqual([
      command,
      {
        exitCode: 3,
        signal: null,
        stdout: '',
        stderr: `${dataDir}: the name is too long. Name a shorter one.\n`,
      },
    ]);
  }
});
