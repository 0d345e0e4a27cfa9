import { connect } from 'node:net';
import type { Clock } from '../../shared/lib/clock.ts';
import type { PrinterAddress } from '../config/printer-address.ts';

/** What became of bytes for a printer. `unknown`: some of them may have been printed. */
export type SendOutcome = { readonly kind: 'done' | 'refused' | 'unknown' };

const connectMs = 3_000;
/** The printer has this long to print and to say so, while a cashier waits. */
const answerMs = 5_000;
/** Transmit the state of the paper: it is answered when all before it is printed. */
const askForPaper = Uint8Array.of(0x1d, 0x72, 0x01);
const paperIsOut = 0x0c;
/** Bits that are never set in that answer: a byte with one of them is about something else. */
const neverSet = 0x90;

/** Sends once, and never again by itself: a receipt that came twice is worse than one that came late. */
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
    // Its network part takes all bytes and closes also when the paper is out: only the answer proves that it printed.
    socket.once('end', () => end('unknown'));
    socket.once('error', () => end(isConnected ? 'unknown' : 'refused'));
  });
}

/** Whether a printer lets itself be connected to. Nothing is sent. */
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
