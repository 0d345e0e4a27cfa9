import { lookup } from 'node:dns';
import { BlockList, isIP, type LookupFunction } from 'node:net';

const barred = new BlockList();
// Link-local: no service stands there, and a cloud tells its machine's secrets there.
barred.addSubnet('169.254.0.0', 16, 'ipv4');
barred.addSubnet('fe80::', 10, 'ipv6');
// What other clouds tell about the machine that they run (Amazon by IPv6, Alibaba, Oracle, Azure).
barred.addAddress('fd00:ec2::254', 'ipv6');
barred.addAddress('100.100.100.200', 'ipv4');
barred.addAddress('192.0.0.192', 'ipv4');
barred.addAddress('168.63.129.16', 'ipv4');

/** Whether an IP address is one at which no service may be asked; one that is written as IPv6 (`::ffff:`) too. */
export function isBarredAddress(address: string): boolean {
  const family = isIP(address);
  return family !== 0 && barred.check(address, family === 4 ? 'ipv4' : 'ipv6');
}

/** Resolves as the system does, and refuses a name that leads to a barred address, however short it led there. */
export const lookUpUnbarred: LookupFunction = (hostname, options, callback) => {
  lookup(hostname, options, (error, found, family) => {
    const addresses = typeof found === 'string' ? [found] : (found ?? []).map(({ address }) => address);
    if (error !== null || !addresses.some(isBarredAddress)) {
      callback(error, found, family);
      return;
    }
    const refusal = new Error(`${hostname} leads to a link-local or metadata address: no key is sent there`);
    callback(Object.assign(refusal, { code: 'EHOSTUNREACH' }), '', 0);
  });
};
