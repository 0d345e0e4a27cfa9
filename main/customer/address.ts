/** One address of the customers' page, as the agent gave it. */
export interface CustomerAddress {
  /** With its one-time token. */
  readonly url: string;
  readonly origin: string;
}

const path = '/customer';

/** Null for what is no address of the customers' page on this machine: such a thing is never loaded. */
export function customerAddress(text: string): CustomerAddress | null {
  if (!URL.canParse(text)) return null;
  const { protocol, hostname, port, pathname, username, password, href, origin } = new URL(text);
  const isOurs = protocol === 'http:' && hostname === '127.0.0.1' && port !== '' && pathname === path;
  return isOurs && username === '' && password === '' ? { url: href, origin } : null;
}

/** The page itself, with its token and without: all that its window may ever be led to. */
export function isCustomerPage(url: string, { origin }: Pick<CustomerAddress, 'origin'>): boolean {
  return url.split(/[?#]/, 1)[0] === origin + path;
}

/** The page, its files and its socket: all that it may ever ask the network for. */
export function isOfCustomerHost(url: string, { origin }: Pick<CustomerAddress, 'origin'>): boolean {
  return url.startsWith(`${origin}/`) || url === `${origin.replace(/^http:/, 'ws:')}${path}/line`;
}
