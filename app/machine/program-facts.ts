import { arch, platform, release } from 'node:os';
import { version } from './version.ts';

/** What program runs on what. */
export function programFacts() {
  return {
    tillbridge: version,
    node: process.versions.node,
    sqlite: process.versions.sqlite ?? '',
    system: `${platform()} ${release()} ${arch()}`,
  };
}
