import { countIn } from '../../../shared/words/plural.ts';
import type { ShiftStep } from '../../guide/steps.ts';

const count = countIn('en');

interface StepWords {
  readonly title: string;
  readonly how: string;
}

/** The words of the practice shift, and of the help. */
export const words = {
  shift: {
    region: 'Practice shift',
    place: (step: string, all: string) => `${step} of ${all}`,
    done: 'done',
    leave: 'End practice',
    cut: 'Cut the connection',
    mend: 'Restore the connection',
    lose: 'Lose the answers',
    failed: 'The sandbox did not accept this. Press again.',
    steps: {
      find: { title: 'Find a customer', how: 'Press a practice card, or scan one.' },
      sell: { title: 'Sell something', how: 'Press an operation, enter the amount, save.' },
      cut: { title: 'Cut the connection', how: 'Press the button here. Then watch the top bar.' },
      sell_offline: { title: 'Sell without a connection', how: 'Sell as before. The sale is saved on this till.' },
      mend: { title: 'Restore the connection', how: 'Press the button. Tillbridge sends the saved sale.' },
      lose: { title: 'Lose the answers', how: 'Sales will arrive, but their answers get lost.' },
      ask: { title: 'Sell once more', how: 'The till says Checking. Do not sell it again.' },
      settle: { title: 'Restore the connection', how: 'Press the button. Tillbridge finds out what happened.' },
      undo: { title: 'Undo a sale', how: 'Press a sale in Recent, then Undo.' },
    } satisfies Record<ShiftStep, StepWords>,
    finished: 'All steps done',
    nameLabel: 'Name on the certificate',
    certify: 'Save certificate',
    nameMissing: 'Enter a name first.',
    notCertified: 'The certificate was not saved. Press again.',
    certified: (name: string, time: string) => `Certificate for ${name}, ${time}`,
    certifiedNext: (minutes: number, written: string) =>
      count(minutes, written, {
        one: 'Completed in # minute. The log keeps it.',
        other: 'Completed in # minutes. The log keeps it.',
      }),
    close: 'Close',
  },
  help: {
    title: 'Help and keys',
    answersTitle: 'What to do',
    answers: [
      { when: 'The connection is gone', doThis: 'Keep selling. Sales are saved and sent later.' },
      { when: 'The screen says Checking', doThis: 'Do not press again. Tillbridge finds out.' },
      { when: 'A sale was wrong', doThis: 'Press the sale in Recent, then Undo.' },
      { when: 'Something needs attention', doThis: 'Press it in the top bar. Each row says what to do.' },
      { when: 'A card does not scan', doThis: 'Type the number that is printed on the card.' },
      { when: 'The screen says NOT saved', doThis: 'Keep the receipt and call store IT.' },
    ],
    keysTitle: 'Keys',
    keys: {
      find: 'Find. With a customer: the first operation.',
      type: 'Type into the find box, or into the amount.',
      walk: 'Go through the operations.',
      card: 'Choose the card beside.',
      leave: 'Close, or go back.',
      help: 'Open this help.',
    },
    practise: 'Start a practice shift',
    close: 'Close',
  },
};
