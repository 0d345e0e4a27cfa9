import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { getCACertificates, setDefaultCACertificates } from 'node:tls';

/** A key and a certificate that it has signed itself, in PEM. */
export interface Certificate {
  readonly key: Buffer;
  readonly cert: Buffer;
}

/** Certificates for 127.0.0.1, each with a key of its own; null where openssl is not at hand. */
export function makeCertificates(): {
  readonly good: Certificate;
  readonly stranger: Certificate;
  readonly expired: Certificate;
} | null {
  const dir = mkdtempSync(join(tmpdir(), 'tillbridge-certificates-'));
  const openssl = (...args: string[]) => execFileSync('openssl', args, { cwd: dir, stdio: 'ignore' });
  const make = (name: string, days: number): Certificate => {
    const [key, request, cert] = [`${name}.key`, `${name}.csr`, `${name}.pem`];
    openssl('ecparam', '-name', 'prime256v1', '-genkey', '-noout', '-out', key);
    const names = ['-subj', `/CN=${name}`, '-addext', 'subjectAltName=IP:127.0.0.1'];
    openssl('req', '-new', '-key', key, '-out', request, ...names);
    const signing = ['-req', '-in', request, '-signkey', key, '-copy_extensions', 'copy', '-days', String(days)];
    openssl('x509', ...signing, '-out', cert);
    return { key: readFileSync(join(dir, key)), cert: readFileSync(join(dir, cert)) };
  };
  try {
    return { good: make('good', 2), stranger: make('stranger', 2), expired: make('expired', -1) };
  } catch {
    return null;
  } finally {
    rmSync(dir, { recursive: true, force: true });
  }
}

/**
 * From now on this process trusts this certificate, too, and none that it was told to trust before: they have the same
 * names, and OpenSSL would check against the first one.
 */
export function trustAlso({ cert }: Certificate): void {
  setDefaultCACertificates([...getCACertificates('bundled'), cert.toString()]);
}
