import { expect, it } from 'vitest';
import { pinFindings } from '../../app/doctor/check-service.ts';
import { tlsAdvice } from '../../app/doctor/connection-findings.ts';

const https = 'https://loyalty.example/v1';

it.each([
  ['the key at x is abc, which is none of tls.pins: ask the loyalty provider', '1.2', 'nothing is sent'],
  ['0A000102:SSL routines::unsupported protocol', '1.3', 'set tls.min_version to 1.2'],
  ['tlsv1 alert protocol version', '1.3', 'set tls.min_version to 1.2'],
  ['tlsv1 alert protocol version', '1.2', 'only versions before TLS 1.2'],
  ['certificate has expired', '1.2', 'clock'],
  ['self-signed certificate in certificate chain', '1.2', 'NODE_EXTRA_CA_CERTS'],
  ['unable to verify the first certificate', '1.2', 'NODE_EXTRA_CA_CERTS'],
  ["Hostname/IP does not match certificate's altnames", '1.2', 'base_url'],
] as const)('says what to do about "%s" with TLS from %s on: %s', (message, min_version, advice) => {
  expect(tlsAdvice(message, { min_version, pins: [] })).toContain(advice);
});

it('warns of one pinned key alone, and not of two, none, or a line that has no TLS', () => {
  expect(pinFindings(https, { min_version: '1.2', pins: ['a'] })).toMatchObject([
    { check: 'pins', verdict: 'warning' },
  ]);
  expect(pinFindings(https, { min_version: '1.2', pins: ['a', 'b'] })).toEqual([]);
  expect(pinFindings(https, { min_version: '1.2', pins: [] })).toEqual([]);
  expect(pinFindings('http://127.0.0.1:1/v1', { min_version: '1.2', pins: ['a'] })).toEqual([]);
});
