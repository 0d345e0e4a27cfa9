import { z } from 'zod';
import { type IdentifierKind, identifierKinds } from '../../../shared/contract/identifier.ts';
import type { CustomerProfile } from '../../../shared/contract/profile.ts';
import type { PersonalRow } from '../../store/tables/person-store.ts';
import type { ComparePhones } from '../requests/international-phone.ts';
import { parsedBody } from '../requests/row-request.ts';

/** What a customer can be named by: as in a request, or by a card of theirs. */
export const personNameKinds = [...identifierKinds, 'card_id'] as const;
export interface PersonName {
  readonly kind: IdentifierKind | 'card_id';
  readonly value: string;
}

/** One person, by all the names that are known of them. */
export class Person {
  readonly #names: PersonName[] = [];

  readonly #isSamePhone: ComparePhones;

  constructor(names: readonly PersonName[], isSamePhone: ComparePhones) {
    this.#isSamePhone = isSamePhone;
    this.learn(names);
  }

  get names(): readonly PersonName[] {
    return this.#names;
  }

  has(name: PersonName): boolean {
    return this.#names.some((known) => known.kind === name.kind && this.#isSameValue(known, name));
  }

  /** @returns whether there was a new one among them */
  learn(names: readonly PersonName[]): boolean {
    const before = this.#names.length;
    for (const name of names) if (!this.has(name)) this.#names.push(name);
    return this.#names.length > before;
  }

  /** The name by which a row is about this person; null when it is about somebody else. */
  nameIn(row: PersonalRow): PersonName | null {
    return namesInRow(row).find((name) => this.has(name)) ?? null;
  }

  #isSameValue({ kind, value }: PersonName, other: PersonName): boolean {
    if (kind === 'phone') return this.#isSamePhone(value, other.value);
    return kind === 'email' ? value.toLowerCase() === other.value.toLowerCase() : value === other.value;
  }
}

/**
 * What ties names together: the service has found this customer behind them. In a row that it refused a card of somebody
 * else may stand beside the customer.
 */
export function namesTiedBy(row: PersonalRow): readonly PersonName[] {
  return row.state === 'applied' || row.state === 'reversed' ? namesInRow(row) : [];
}

export function namesInProfile({ customer_id, phone, email, cards }: CustomerProfile): readonly PersonName[] {
  return named({ customer_id, phone, email }).concat(cards.map(({ card_id }) => ({ kind: 'card_id', value: card_id })));
}

const namesSchema = z.record(z.string(), z.unknown()).catch({});

function namesInRow(row: PersonalRow): readonly PersonName[] {
  const body = namesSchema.parse(parsedBody(row.body));
  const answer = namesSchema.parse(row.answer);
  return [
    ...(row.identifierKind === null ? [] : named({ [row.identifierKind]: row.identifierValue })),
    ...named({ customer_id: row.serviceCustomerId, card_id: row.serviceCardId }),
    ...named({ card_id: row.cardId }),
    ...named(namesSchema.parse(body.identifier)),
    // An enrollment names its customer itself.
    ...named({ phone: body.phone, email: body.email }),
    ...named({ customer_id: answer.customer_id, card_id: answer.card_id }),
  ];
}

function named(fields: Readonly<Record<string, unknown>>): PersonName[] {
  return personNameKinds.flatMap((kind) => {
    const value = fields[kind];
    return typeof value === 'string' && value !== '' ? [{ kind, value }] : [];
  });
}
