import { type ChildProcess, type SpawnSyncReturns, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'vitest';

/** Units of a whole machine: devices, its clock, its kernel. They would change the machine that the test runs on. */
const ofTheMachine = [
  ...'binfmt firstboot hwdb-update machine-id-commit modules-load networkd pcrphase-sysinit pstore random-seed remount-fs sysctl timesyncd tmpfiles-setup-dev udev-trigger udevd update-utmp'
    .split(' ')
    .map((name) => `systemd-${name}.service`),
  'dev-hugepages.mount',
  'dev-mqueue.mount',
  'proc-sys-fs-binfmt_misc.automount',
  'sys-fs-fuse-connections.mount',
  'sys-kernel-debug.mount',
  'sys-kernel-tracing.mount',
];

/**
 * A copy of this machine's files that takes every change into memory, with a systemd of its own as its first process. The
 * network is this machine's.
 *
 * @param shared a folder that both see, at the same place
 */
const bootScript = (folder: string, shared: string): string => `#!/bin/bash
set -e
root=${folder}/root
mkdir -p $root ${folder}/changes
mount --make-rprivate /
mount -t tmpfs tmpfs ${folder}/changes
mkdir ${folder}/changes/files ${folder}/changes/work
mount -t overlay overlay -o lowerdir=/,upperdir=${folder}/changes/files,workdir=${folder}/changes/work $root
mkdir -p $root${shared}
mount --bind ${shared} $root${shared}
mount -t proc proc $root/proc
mount --bind $root/proc/sys $root/proc/sys
mount -o remount,ro,bind $root/proc/sys
mount -t sysfs -o ro sysfs $root/sys
mount -t cgroup2 cgroup2 $root/sys/fs/cgroup
mount -t tmpfs tmpfs $root/run
mount -t tmpfs tmpfs $root/dev
for device in null zero full random urandom tty; do cp -a /dev/$device $root/dev/; done
mkdir $root/dev/shm $root/dev/pts $root/dev/mqueue $root/dev/hugepages
ln -s /proc/self/fd $root/dev/fd
ln -s pts/ptmx $root/dev/ptmx
mount -t devpts -o newinstance,ptmxmode=0666 devpts $root/dev/pts
mount -t tmpfs tmpfs $root/dev/shm
for unit in ${ofTheMachine.join(' ')}; do ln -sf /dev/null $root/etc/systemd/system/$unit; done
rm -f $root/etc/fstab
printf '[Unit]\\nRequires=basic.target\\nAfter=basic.target\\nAllowIsolate=yes\\n' > $root/etc/systemd/system/test.target
cd $root
mkdir -p before
pivot_root . before
umount -l /before
exec env container=lxc /lib/systemd/systemd --system --unit=test.target --log-target=null --show-status=0 < /dev/null
`;

export interface BootedSystem {
  /** Runs a command as its administrator. */
  run(command: string, ...args: readonly string[]): SpawnSyncReturns<string>;
  end(): Promise<void>;
}

/** Needs Linux, systemd and root. @param shared a folder that both see */
export async function bootSystem(shared: string): Promise<BootedSystem> {
  const folder = mkdtempSync(join(tmpdir(), 'booted-'));
  const script = join(folder, 'boot.sh');
  writeFileSync(script, bootScript(folder, shared), { mode: 0o755 });
  const child = spawn('unshare', ['-m', '-p', '-f', '-u', '-i', '-C', '--kill-child', script], {
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  let said = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    said += text;
  });
  const run: BootedSystem['run'] = (command, ...args) =>
    spawnSync(
      'nsenter',
      ['-t', String(firstProcessOf(child)), '-m', '-p', '-u', '-i', '-C', '-r', '-w', command, ...args],
      {
        encoding: 'utf8',
      },
    );
  await expect
    .poll(() => run('systemctl', 'is-system-running').stdout, { timeout: 30_000, message: `systemd starts\n${said}` })
    .toMatch(/running|degraded/);
  return {
    run,
    async end() {
      const closed = once(child, 'close');
      child.kill('SIGKILL');
      await closed;
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

function firstProcessOf({ pid }: ChildProcess): number {
  return Number(readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim());
}
