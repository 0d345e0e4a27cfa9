import { createPublicKey, verify } from 'node:crypto';
import { z } from 'zod';
import { comparable } from './version-order.ts';

/** What the feed of an update calls this program. */
export const productId = 'org.tillbridge.till';

/** The packages that can be installed as an update, by the end of their names. */
export const packageKinds = { deb: '.deb', rpm: '.rpm', nsis: '.exe' } as const;
export type PackageKind = keyof typeof packageKinds;

/** The feed's file for a system (`linux-x64`): electron-updater's name for it. Its signature stands beside it. */
export function feedName(platform: string): string {
  const [system = '', arch = ''] = platform.split('-');
  const ofArch = arch === 'x64' ? '' : `-${arch}`;
  if (system === 'win32') return `latest${ofArch}.yml`;
  return `latest-${system === 'darwin' ? 'mac' : system}${ofArch}.yml`;
}
export const signatureName = (feed: string): string => `${feed}.sig`;

export const maxFeedBytes = 64 * 1024;

/**
 * What a feed says. It is JSON, which is YAML too: `files`, `version`, `releaseDate` and `stagingPercentage` are
 * electron-updater's names.
 */
export const feedSchema = z.lazy(() =>
  z.object({
    product: z.string(),
    platform: z.string(),
    version: comparable,
    /** When it was signed. */
    releaseDate: z.iso.datetime(),
    stagingPercentage: z.number().min(0).max(100),
    hold: z.boolean(),
    files: z
      .array(
        z.object({
          /** A file beside the feed. */
          url: z.string().regex(/^[A-Za-z0-9][A-Za-z0-9._+-]*$/),
          /** Base64. */
          sha512: z.string().regex(/^[A-Za-z0-9+/]{86}==$/),
          size: z.int().positive(),
        }),
      )
      .min(1),
  }),
);
export type Feed = z.output<typeof feedSchema>;

interface ReleasePackage {
  readonly name: string;
  readonly sha512: string;
  readonly byteCount: number;
}

/** A version that somebody with the key has released for this system. */
export interface Release {
  readonly version: string;
  readonly signedAtMs: number;
  readonly stagingPercentage: number;
  readonly isHeld: boolean;
  readonly package: ReleasePackage;
}

type FeedOutcome =
  | { readonly kind: 'release'; readonly release: Release }
  | { readonly kind: 'refused'; readonly line: string };

interface FeedReader {
  /** Public keys, each as base64 of its SPKI form. */
  readonly keys: readonly string[];
  readonly platform: string;
  readonly packageKind: PackageKind;
}

/** What is fetched is believed after its signature alone; what was signed for something else is refused. */
export function readFeed(
  { bytes, signature }: { readonly bytes: Uint8Array; readonly signature: string },
  { keys, platform, packageKind }: FeedReader,
): FeedOutcome {
  if (!isSigned(bytes, signature, keys)) {
    return refused('the signature of the feed is not valid. Sign the feed again with the key of this product');
  }
  const feed = parsed(bytes);
  if (feed === null) return refused('the feed is signed, but is not in the form of a feed');
  if (feed.product !== productId) return refused(`the feed is for the product ${feed.product}, not for ${productId}`);
  if (feed.platform !== platform) return refused(`the feed is for ${feed.platform}, and this till is ${platform}`);
  const file = feed.files.find(({ url }) => url.endsWith(packageKinds[packageKind]));
  if (file === undefined)
    return refused(`the feed has no ${packageKind} package, and this till was installed from one`);
  return {
    kind: 'release',
    release: {
      version: feed.version,
      signedAtMs: Date.parse(feed.releaseDate),
      stagingPercentage: feed.stagingPercentage,
      isHeld: feed.hold,
      package: { name: file.url, sha512: file.sha512, byteCount: file.size },
    },
  };
}

function refused(line: string): FeedOutcome {
  return { kind: 'refused', line };
}

function isSigned(bytes: Uint8Array, signature: string, keys: readonly string[]): boolean {
  const signed = Buffer.from(signature.trim(), 'base64');
  return keys.some((key) => {
    try {
      return verify(
        null,
        bytes,
        createPublicKey({ key: Buffer.from(key, 'base64'), format: 'der', type: 'spki' }),
        signed,
      );
    } catch {
      return false;
    }
  });
}

function parsed(bytes: Uint8Array): Feed | null {
  try {
    return feedSchema.parse(JSON.parse(Buffer.from(bytes).toString('utf8')));
  } catch {
    return null;
  }
}
