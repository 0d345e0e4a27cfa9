import { createHash, X509Certificate } from 'node:crypto';
import { checkServerIdentity, type PeerCertificate } from 'node:tls';
import type { Settings } from '../config/settings.ts';

/** What a line to the service has to be, beside a certificate that somebody vouches for. */
export type LineSecurity = Settings['tls'];

/** Among the causes it is `tls`: nothing was sent. */
const notPinnedCode = 'ERR_TLS_KEY_NOT_PINNED';

/** The SHA-256 of a certificate's public key (SubjectPublicKeyInfo, DER) in base64: it outlives a renewal with the same key. */
function keyFingerprintOf(certificateDer: Uint8Array): string {
  const key = new X509Certificate(certificateDer).publicKey.export({ type: 'spki', format: 'der' });
  return createHash('sha256').update(key).digest('base64');
}

/**
 * Checks the service's own certificate before a byte is sent: its name, and that its key is one of `pins`. The certificates
 * above it do not count: a server may send any it likes along.
 *
 * @returns undefined when both are right, as TLS asks for it
 */
export function checkPinned(host: string, certificate: PeerCertificate, pins: LineSecurity['pins']): Error | undefined {
  const fingerprint = keyFingerprintOf(certificate.raw);
  if (pins.includes(fingerprint)) return checkServerIdentity(host, certificate);
  const message = `the key at ${host} is ${fingerprint}, which is none of tls.pins: ask the loyalty provider whether it is theirs, and only then add it`;
  return Object.assign(new Error(message), { code: notPinnedCode });
}
