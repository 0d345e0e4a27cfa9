import type { Asked, Told } from '../facts.ts';
import { type HeldTransaction, inWords, valuesInWords } from './books.ts';
import type { Evidence, ShownTill } from './evidence.ts';
import type { RuleName, Verdict } from './rules.ts';

/** One request before the judge. */
export interface Case {
  readonly evidence: Evidence;
  readonly asked: Asked;
  readonly shown: ShownTill;
}

export function say(rule: RuleName, about: Case, held: HeldTransaction | undefined): readonly Verdict[] {
  return sayOf(rule, about, inWords(held));
}

/** @param held what the service has, in words */
export function sayOf(rule: RuleName, { asked }: Case, held: string): readonly Verdict[] {
  const { till, step, kind, ref, loyaltyId, values } = asked;
  const what = `${till} #${step} ${kind} ${ref} of ${loyaltyId} ${valuesInWords(values)}`;
  return [{ rule, text: `${what} ${toldInWords(asked)}; service: ${held}` }];
}

function toldInWords(asked: Asked): string {
  const told: Told | undefined = asked.told.at(-1);
  if (told === undefined) return 'told nothing';
  const { verdict, status, code, details, state, values } = told;
  return `told ${verdict} ${status} ${code ?? ''}${details} ${state ?? ''} ${values === null ? '' : valuesInWords(values)}`;
}
