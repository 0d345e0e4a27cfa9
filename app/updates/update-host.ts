import type { PackageKind, Release } from './feed.ts';
import type { ScreenUse } from './quiet-time.ts';

/** What is to be installed. */
export interface Installation {
  readonly release: Release;
  /** A file whose sum is the feed's. */
  readonly packageFile: string;
  /** Once the agent has ended: copies the databases and begins the trial. Nothing is installed when it throws. */
  readonly prepare: () => Promise<void>;
}

/** What the desktop app does for its updates. */
export interface UpdateHost {
  /** Of the installed package. */
  readonly version: string;
  /** `linux-x64` */
  readonly platform: string;
  /** Null: a kind that is updated by hand. */
  readonly packageKind: PackageKind | null;
  /** Public keys that a feed may be signed with. */
  readonly feedKeys: readonly string[];
  /** @throws when it cannot be had, is larger, or does not come in time */
  readonly fetch: (url: URL, limits: { readonly maxBytes: number; readonly timeoutMs: number }) => Promise<Uint8Array>;
  /** Fetches the package and compares its sum. @returns the file @throws */
  readonly download: (release: Release, feed: URL) => Promise<string>;
  readonly screenUse: () => Promise<ScreenUse>;
  /** Ends this program, installs, and starts the new version. Where it cannot, this version starts again. */
  readonly install: (installation: Installation) => Promise<void>;
  /** The version whose package is kept; null: none is. */
  readonly keptVersion: () => string | null;
}
