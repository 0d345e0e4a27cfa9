import { connect } from 'node:net';
import type { Clock } from '../../shared/lib/clock.ts';
import type { PrinterAddress } from '../config/printer-address.ts';

/** The result of sending bytes to a printer. `unknown`: some may have been printed. */
export type SendOutcome = { readonly kind: 'done' | 'refused' | 'unknown' };

const connectMs = 3_000;
/** How long the printer may take to print and to answer, while a cashier waits. */
const answerMs = 5_000;
/** Asks for the state of the paper. The printer answers when everything before is printed. */
const askForPaper = Uint8Array.of(0x1d, 0x72, 0x01);
const paperIsOut = 0x0c;
/** Bits that are never set in that answer. A byte with one of them is another message. */
const neverSet = 0x90;

/** Sends once and never repeats, because a receipt that is printed twice is worse than a late one. */
export function sendToPrinter(bytes: Uint8Array, address: PrinterAddress, clock: Clock): Promise<SendOutcome> {
  return new Promise((resolve) => {
    const socket = connect(address);
    let isConnected = false;
    let isWritten = false;
    const end = (kind: SendOutcome['kind']): void => {
      cancel();
      socket.destroy();
      resolve({ kind });
    };
    let cancel = clock.setTimer(() => end('refused'), connectMs);
    socket.once('connect', () => {
      isConnected = true;
      cancel();
      cancel = clock.setTimer(() => end('unknown'), answerMs);
      socket.write(Buffer.concat([bytes, askForPaper]), (fault) => {
        if (fault) return;
        isWritten = true;
      });
    });
    socket.on('data', (told) => {
      // A longer message is not the answer: some printers send their name when somebody connects.
      const [paper] = told;
      if (isWritten && told.length === 1 && paper !== undefined && (paper & neverSet) === 0) {
        end((paper & paperIsOut) === paperIsOut ? 'unknown' : 'done');
      }
    });
    // The printer's network part accepts and closes even when the paper is out, so only the answer proves the print.
    socket.once('end', () => end('unknown'));
    socket.once('error', () => end(isConnected ? 'unknown' : 'refused'));
  });
}

/** Whether a printer accepts a connection. Nothing is sent. */
export function isPrinterThere(address: PrinterAddress, clock: Pick<Clock, 'setTimer'>): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(address);
    const end = (isThere: boolean): void => {
      cancel();
      socket.destroy();
      resolve(isThere);
    };
    const cancel = clock.setTimer(() => end(false), connectMs);
    socket.once('connect', () => end(true));
    socket.once('error', () => end(false));
  });
}
