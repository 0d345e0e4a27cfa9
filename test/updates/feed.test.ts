import { describe, expect, it } from 'vitest';
import { readFeed } from '../../app/updates/feed.ts';
import { makeUpdateKey, signedFeed } from '../support/update-feed.ts';

const key = makeUpdateKey();
const deb = { url: 'tillbridge-0.2.0-linux-amd64.deb', sha512: `${'A'.repeat(86)}==`, size: 100 };
const reader = { keys: [key.publicKey], platform: 'linux-x64', packageKind: 'deb' } as const;
const good = () => signedFeed(key, { version: '0.2.0', files: [deb] });

describe('a feed', () => {
  it('is believed when a key of the package has signed its very bytes', () => {
    expect(readFeed(good(), reader)).toEqual({
      kind: 'release',
      release: {
        version: '0.2.0',
        signedAtMs: Date.parse('2026-11-20T10:00:00.000Z'),
        stagingPercentage: 100,
        isHeld: false,
        package: { name: deb.url, sha512: deb.sha512, byteCount: 100 },
      },
    });
    // The key before, while tills with the next one are there already.
    expect(readFeed(good(), { ...reader, keys: [makeUpdateKey().publicKey, key.publicKey] }).kind).toBe('release');
  });

  it.each([
    ['without a signature', { ...good(), signature: '' }, reader],
    [
      'with the signature of another feed',
      { ...good(), signature: signedFeed(key, { version: '0.3.0', files: [deb] }).signature },
      reader,
    ],
    ['signed with another key', signedFeed(makeUpdateKey(), { version: '0.2.0', files: [deb] }), reader],
    ['for a package without a key', good(), { ...reader, keys: [] }],
    ['for a package whose key is none', good(), { ...reader, keys: ['bm8ga2V5'] }],
  ])('%s is refused', (_, given, by) => {
    expect(readFeed(given, by)).toEqual({ kind: 'refused', line: expect.stringContaining('signature') });
  });

  it('is refused when one byte of it is another, a space at its end too', () => {
    const { bytes, signature } = good();
    expect(readFeed({ bytes: Buffer.concat([bytes, Buffer.from(' ')]), signature }, reader).kind).toBe('refused');
    const changed = Buffer.from(bytes.toString().replace('0.2.0', '0.2.1'));
    expect(readFeed({ bytes: changed, signature }, reader).kind).toBe('refused');
  });

  it.each([
    ['another product', { product: 'org.example.editor' }, 'the product org.example.editor'],
    ['another system', { platform: 'win32-x64' }, 'for win32-x64, and this till is linux-x64'],
    ['another kind of package', { files: [{ ...deb, url: 'tillbridge-0.2.0.rpm' }] }, 'has no deb package'],
    ['a package elsewhere', { files: [{ ...deb, url: '../../etc/evil.deb' }] }, 'not in the form of a feed'],
    ['no version', { version: 'latest' }, 'not in the form of a feed'],
    ['no sum', { files: [{ ...deb, sha512: '' }] }, 'not in the form of a feed'],
    ['no package', { files: [] }, 'not in the form of a feed'],
    ['a share above all', { stagingPercentage: 101 }, 'not in the form of a feed'],
  ])('that is signed and is for %s is refused by name', (_, changes, words) => {
    const signed = signedFeed(key, { version: '0.2.0', files: [deb], ...changes });
    expect(readFeed(signed, reader)).toEqual({ kind: 'refused', line: expect.stringContaining(words) });
  });
});
