import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type Feed, feedName, feedSchema, signatureName } from '../../app/updates/feed.ts';
import { root } from '../../tools/bundles.ts';
import { temporaryFolder } from '../support/core-rows.ts';
import { makeUpdateKey, putFeed, signedFeed } from '../support/update-feed.ts';

const key = makeUpdateKey();
const hourMs = 3_600_000;
let folder: ReturnType<typeof temporaryFolder>;
let path: string;
beforeEach(() => {
  folder = temporaryFolder();
  mkdirSync(folder.file('feed'));
  path = folder.file(`feed/${feedName('linux-x64')}`);
  writeFileSync(folder.file('update.pem'), key.privatePem);
  writeFileSync(folder.file('feed/tillbridge-0.2.0.deb'), 'a package');
});
afterEach(() => folder.remove());

function sign() {
  const words = ['sign', '--key', folder.file('update.pem'), '--version', '0.2.0'];
  const tool = join(root, 'tools', 'dist', 'sign-feed.ts');
  return spawnSync(process.execPath, [tool, ...words, folder.file('feed/tillbridge-0.2.0.deb')], { encoding: 'utf8' });
}
const signedAt = (): string => feedSchema.parse(JSON.parse(readFileSync(path, 'utf8'))).releaseDate;
/** A feed that stands there already. @returns when it was signed */
function standing(aheadMs: number): string {
  const releaseDate = new Date(Date.now() + aheadMs).toISOString();
  const files: Feed['files'] = [{ url: 'tillbridge-0.1.9.deb', sha512: `${'A'.repeat(86)}==`, size: 1 }];
  putFeed(folder.file('feed'), signedFeed(key, { version: '0.1.9', files, releaseDate }));
  return releaseDate;
}

describe('the feed that is signed', () => {
  it('has the time of the machine that signs, also where an older one stands', () => {
    const earlier = standing(-hourMs);
    const startedAtMs = Date.now();
    expect(sign()).toMatchObject({ stderr: '', status: 0 });
    expect(Date.parse(signedAt())).toBeGreaterThanOrEqual(startedAtMs);
    expect(Date.parse(signedAt())).toBeGreaterThan(Date.parse(earlier));
  });

  it('is dated after one that a clock somewhat ahead has signed, and says so: tills have noted that one', () => {
    const ahead = standing(5 * hourMs);
    expect(sign()).toMatchObject({ status: 0, stdout: expect.stringContaining(`was signed at ${ahead}`) });
    expect(Date.parse(signedAt())).toBe(Date.parse(ahead) + 1);
  });

  it('is not written over one that is dated days ahead: which clock is wrong is for a person', () => {
    const ahead = standing(365 * 24 * hourMs);
    expect(sign()).toMatchObject({ status: 1, stderr: expect.stringContaining('delete the file, and sign again') });
    expect(signedAt()).toBe(ahead);
  });

  it('takes the place of a file that is no feed', () => {
    writeFileSync(path, 'half a fee');
    expect(sign()).toMatchObject({ stderr: '', status: 0 });
    expect(existsSync(signatureName(path))).toBe(true);
  });
});
