/** One address of the customers' page, as the agent gave it. */
export interface CustomerAddress {
  /** The address with its one-time token. */
  readonly url: string;
  readonly origin: string;
}

const path = '/customer';

/** Reads an address of the customers' page on this machine; null for every other address, which is never loaded. */
export function customerAddress(text: string): CustomerAddress | null {
  if (!URL.canParse(text)) return null;
  const { protocol, hostname, port, pathname, username, password, href, origin } = new URL(text);
  const isOurs = protocol === 'http:' && hostname === '127.0.0.1' && port !== '' && pathname === path;
  return isOurs && username === '' && password === '' ? { url: href, origin } : null;
}

/** Whether an address is the page, with or without its token. Its window may go to no other address. */
export function isCustomerPage(url: string, { origin }: Pick<CustomerAddress, 'origin'>): boolean {
  return url.split(/[?#]/, 1)[0] === origin + path;
}

/** Whether an address belongs to the page, its files or its socket. It may ask the network for nothing else. */
export function isOfCustomerHost(url: string, { origin }: Pick<CustomerAddress, 'origin'>): boolean {
  return url.startsWith(`${origin}/`) || url === `${origin.replace(/^http:/, 'ws:')}${path}/line`;
}
