import { z } from 'zod';
import { emailText, phoneText, text } from './primitives.ts';
import { isSoundSoFar } from './problems.ts';

export const identifierKinds = ['loyalty_id', 'phone', 'email', 'external_id', 'customer_id'] as const;
/** The properties by which a customer may be named (spec "Identifier"). */
export type IdentifierKind = (typeof identifierKinds)[number];

/**
 * Names a customer by exactly one property. Two or more, none, or an unknown one is refused, and never one of them
 * chosen (spec "Identifier"; decisions "Errors and limits").
 */
export const identifierSchema = z.lazy(() =>
  z
    .strictObject({
      loyalty_id: text.optional(),
      phone: phoneText.optional(),
      email: emailText.optional(),
      external_id: text.optional(),
      customer_id: text.optional(),
    })
    .refine((value) => identifierKinds.filter((kind) => value[kind] !== undefined).length === 1, {
      error: `must have exactly one of ${identifierKinds.join(', ')}`,
      // A wrong field is reported only once, so this rule is skipped when a field is wrong.
      when: isSoundSoFar,
    })
    .meta({ id: 'Identifier', minProperties: 1, maxProperties: 1 }),
);

export type Identifier = z.infer<typeof identifierSchema>;

const keptText = z.string().optional();
/** The identifier of a saved request, as earlier versions accepted it. All its properties are read. */
export const keptIdentifierSchema = z.lazy(() =>
  z
    .strictObject({
      loyalty_id: keptText,
      phone: keptText,
      email: keptText,
      external_id: keptText,
      customer_id: keptText,
    })
    .refine((value) => identifierKinds.filter((kind) => value[kind] !== undefined).length === 1),
);

/** The one property that is present. */
export function identifierEntry(identifier: Identifier): { readonly kind: IdentifierKind; readonly value: string } {
  for (const kind of identifierKinds) {
    const value = identifier[kind];
    if (value !== undefined) return { kind, value };
  }
  throw new Error('An identifier without a property passed validation');
}
