import { connect } from 'node:net';
import type { CancelTimer, Clock } from '../../shared/lib/clock.ts';
import type { PrinterAddress } from '../config/printer-address.ts';

/** What became of bytes for a printer. `unknown`: some of them may have been printed. */
export type SendOutcome = { readonly kind: 'done' | 'refused' | 'unknown' };

const connectMs = 3_000;
/** Until it has printed and said so; a cashier waits. */
const answerMs = 5_000;
/** So long the line stays open both ways: a printer that closes it before dropped what it was sent. */
const dropMs = 1_000;
/** Transmit the state of the paper: it is answered when all before it is printed. */
const askForPaper = Uint8Array.of(0x1d, 0x72, 0x01);
const paperIsOut = 0x0c;
/** Never set in that answer: a byte with one of them tells something else. */
const neverSet = 0x90;

/** Sends once, and never again by itself: a receipt that came twice is worse than one that came late. */
export function sendToPrinter(bytes: Uint8Array, address: PrinterAddress, clock: Clock): Promise<SendOutcome> {
  return new Promise((resolve) => {
    // It closes when this side does, and not by itself.
    const socket = connect({ ...address, allowHalfOpen: true });
    let isConnected = false;
    let isWritten = false;
    let isAllSent = false;
    let cancelLast: CancelTimer = () => undefined;
    const end = (kind: SendOutcome['kind']): void => {
      cancel();
      cancelLast();
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
        cancelLast = clock.setTimer(() => {
          isAllSent = true;
          socket.end();
        }, dropMs);
      });
    });
    socket.on('data', (told) => {
      // Longer ones are what some printers tell of themselves when somebody connects.
      const [paper] = told;
      if (isWritten && told.length === 1 && paper !== undefined && (paper & neverSet) === 0) {
        end((paper & paperIsOut) === paperIsOut ? 'unknown' : 'done');
      }
    });
    // One that does not answer closes when it is told that this was all.
    socket.once('end', () => end(isAllSent ? 'done' : 'unknown'));
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
