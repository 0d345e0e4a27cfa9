import { lookup } from 'node:dns';
import { BlockList, isIPv4, isIPv6, type LookupFunction } from 'node:net';

let list: BlockList | null = null;

function barred(): BlockList {
  if (list !== null) return list;
  list = new BlockList();
  // Link-local: no service stands there, and a cloud tells its machine's secrets there.
  list.addSubnet('169.254.0.0', 16, 'ipv4');
  list.addSubnet('fe80::', 10, 'ipv6');
  // What other clouds tell about the machine that they run (Amazon by IPv6, Alibaba, Oracle, Azure).
  list.addAddress('fd00:ec2::254', 'ipv6');
  list.addAddress('100.100.100.200', 'ipv4');
  list.addAddress('192.0.0.192', 'ipv4');
  list.addAddress('168.63.129.16', 'ipv4');
  return list;
}

/** Whether an IP address is one at which no service may be asked; one that is written as IPv6 (`::ffff:`) too. */
export function isBarredAddress(address: string): boolean {
  if (isIPv4(address)) return barred().check(address, 'ipv4');
  // The first look for an IPv6 address takes 3 ms: V8 compiles a long expression for it. A name has no colon.
  return address.includes(':') && isIPv6(address) && barred().check(address, 'ipv6');
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
