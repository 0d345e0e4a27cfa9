/** Where a receipt printer listens. */
export interface PrinterAddress {
  readonly host: string;
  readonly port: number;
}

const usualPort = 9100;
const shape = /^(\[[0-9a-f:.]+\]|[a-z0-9](?:[a-z0-9._-]*[a-z0-9])?)(?::([1-9]\d{0,4}))?$/i;

/** Whether a text names a printer: `192.168.1.50`, `printer.lan:9100`, `[::1]:9100`. */
export function isPrinterAddress(text: string): boolean {
  const [, host, port = String(usualPort)] = shape.exec(text) ?? [];
  // A host may have the letters of an address and be none: 192.168.1.500, [:::].
  return host !== undefined && Number(port) <= 65_535 && URL.canParse(`http://${host}`);
}

/** @param text that isPrinterAddress has let through */
export function printerAddress(text: string): PrinterAddress {
  const [, host = '', port = String(usualPort)] = shape.exec(text) ?? [];
  return { host: host.replace(/^\[|\]$/g, ''), port: Number(port) };
}

/** How many letters of a receipt printer's own type fit on a line of its paper. */
export const paperColumns = [32, 42, 48] as const;
export type PaperColumns = (typeof paperColumns)[number];
