import type { Clock } from '../../shared/lib/clock.ts';
import { toInstant } from '../../shared/lib/clock.ts';
import { practiceCommands } from '../../shared/till/practice-commands.ts';
import { command, type Handlers } from './command.ts';
import { failed, succeeded } from './replies.ts';

/** A completed practice shift, as the log keeps it. */
export interface Certificate {
  /** The trainee's name as it was typed, because a certificate names a person. */
  readonly trainee: string;
  readonly minutes: number;
  /** The reference of the signed-in cashier; null when nobody was signed in. */
  readonly employee_ref: string | null;
}

interface Practice {
  /** Whether this till is for practice. */
  readonly isSandbox: boolean;
  readonly clock: Pick<Clock, 'now'>;
  readonly cashier: () => { readonly employee_ref: string } | null;
  /** Writes the line of the log. */
  readonly certify: (certificate: Certificate) => void;
}

export function practiceHandlers(practice: Practice): Handlers<keyof typeof practiceCommands> {
  return {
    'practice.certify': command(practiceCommands['practice.certify'], ({ name, minutes }) => {
      if (!practice.isSandbox) return failed('no_lab', 'A practice shift is for the sandbox alone.');
      const trainee = name.trim();
      practice.certify({ trainee, minutes, employee_ref: practice.cashier()?.employee_ref ?? null });
      return succeeded({ name: trainee, minutes, completed_at: toInstant(practice.clock.now()) });
    }),
  };
}
