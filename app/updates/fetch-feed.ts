import { feedName, maxFeedBytes, readFeed, signatureName } from './feed.ts';
import type { UpdateHost } from './update-host.ts';

const feedTimeoutMs = 30_000;

/**
 * Fetches the feed of this platform with its signature, and reads it. A feed that was just replaced does not fit the
 * signature that was fetched before: then both are fetched once more.
 *
 * @param feed the folder that the settings name
 * @throws what the host's fetch throws
 */
export async function fetchFeed(host: UpdateHost, feed: string, packageKind: NonNullable<UpdateHost['packageKind']>) {
  const url = new URL(feedName(host.platform), feed.endsWith('/') ? feed : `${feed}/`);
  const signatureUrl = new URL(signatureName(url.pathname.split('/').at(-1) ?? ''), url);
  const limits = { maxBytes: maxFeedBytes, timeoutMs: feedTimeoutMs };
  const read = async () => {
    const bytes = await host.fetch(url, limits);
    const signature = Buffer.from(await host.fetch(signatureUrl, limits)).toString('latin1');
    const signed = { bytes, signature };
    return { url, signed, outcome: readFeed(signed, { keys: host.feedKeys, platform: host.platform, packageKind }) };
  };
  const first = await read();
  return first.outcome.kind === 'refused' ? read() : first;
}
