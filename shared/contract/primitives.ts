import { z } from 'zod';
import { currencyExponent } from '../money.ts';
import { maxTextLength } from './limits.ts';
import { holdsPaymentCard, paymentCardProblem } from './payment-card.ts';
import { hasPhoneShape } from './phone-shape.ts';

/** Longest Idempotency-Key header (spec "Limits"). */
export const maxIdempotencyKeyLength = 128;
/** Largest request body in bytes (decisions: "Errors and limits"). */
export const maxBodyBytes = 1024 * 1024;
/** Largest metadata object, as JSON, in bytes (decisions: "Errors and limits"). */
const maxMetadataBytes = 16 * 1024;

// biome-ignore lint/suspicious/noControlCharactersInRegex: finding control characters is the point
const withoutControlCharacters = /^[^\u0000-\u001f\u007f-\u009f]*$/;

/** A request's string: 1 to 255 characters, well-formed Unicode, no control characters. */
export const text = textOf(maxTextLength);

/**
 * The longest id that a service may have made, in code points: the specification bounds none. More would fit into no
 * address and no header.
 */
const maxIdLength = 8 * 1024;

/** An id that the service made and that a caller names: as long as it is. */
export const idOfService = textOf(maxIdLength);

function textOf(mostLength: number) {
  // In one check: a start waits for each link of a chain, which is a copy of the one before.
  return z.string().check(
    z.minLength(1, 'must not be empty'),
    z.maxLength(mostLength, `must have at most ${mostLength} characters`),
    z.refine((value) => value.isWellFormed(), 'must be well-formed Unicode'),
    z.regex(withoutControlCharacters, 'must not hold control characters'),
  );
}

/** A note or name that a person writes. It must not hold a payment card's number. */
export const freeText = text.refine((value) => !holdsPaymentCard(value), paymentCardProblem);

// Of a pipe the OpenAPI document tells the first part alone.
export const emailText = text
  .pipe(z.email('must be an e-mail address'))
  .meta({ format: 'email', pattern: z.regexes.email.source });

/**
 * Any text in the shape of a phone number. Only the service knows which country is meant and whether the number is
 * possible there (spec "Identifier"; decisions: "Errors and limits").
 */
export const phoneText = text.refine(hasPhoneShape, 'is not a phone number');

/** Also in UTC, the year must have four digits. */
const earliestInstantMs = Date.parse('0000-01-01T00:00:00Z');
const latestInstantMs = Date.parse('9999-12-31T23:59:59.999Z');

const instantPattern =
  /^\d{4}-\d{2}-\d{2}[Tt](?:[01]\d|2[0-3]):[0-5]\d:[0-5]\d(?:\.\d+)?(?:[Zz]|[+-](?:[01]\d|2[0-3]):[0-5]\d)$/;
const instantProblem = { error: 'must be an RFC 3339 date and time with an offset', abort: true };

/**
 * An instant with any RFC 3339 offset. Its letters may be in either case and are read as upper case. A leap second is
 * not accepted (decisions: "Money, time, ids"). Answers are always UTC with milliseconds.
 */
export const instant = z
  .string(instantProblem)
  .check(
    z.regex(instantPattern, instantProblem),
    z.refine((value) => isDayOfCalendar(value.slice(0, 10)), instantProblem),
    z.toUpperCase(),
    z.refine((value) => Date.parse(value) >= earliestInstantMs, 'must not be before the year 0'),
    z.refine((value) => Date.parse(value) <= latestInstantMs, 'must be before the year 10000'),
  )
  .meta({ format: 'date-time' });

/** Whether the day exists. JavaScript would read the 30th of February as a day in March. */
function isDayOfCalendar(date: string): boolean {
  const midnight = new Date(`${date}T00:00:00Z`);
  return !Number.isNaN(midnight.getTime()) && midnight.toISOString().startsWith(date);
}

/** In a path these are no names: `/transactions/../reverse` is `/reverse`, also when the dots are percent-encoded. */
const isOwnName = (id: string) => id !== '.' && id !== '..';
const namesAnotherPath = 'must not be . or .., which would name another path';

/** An id in the path of a call. */
export const idInPath = idOfService.refine(isOwnName, namesAnotherPath);

/** An id that the service made. It is used in paths and headers, so it is printable ASCII (spec "Transaction"). */
export const serviceId = z
  .string()
  .check(
    z.regex(new RegExp(`^[\\x21-\\x7e]{1,${maxIdLength}}$`), `must be 1 to ${maxIdLength} printable ASCII characters`),
    z.refine(isOwnName, namesAnotherPath),
  );

/** ISO 4217, exactly three upper-case characters (spec "Limits"). */
export const currency = z.string().check(
  z.regex(/^[A-Z]{3}$/, { error: 'must be three upper-case letters (ISO 4217)', abort: true }),
  z.refine((code) => currencyExponent(code) !== null, 'is not a currency of ISO 4217'),
);

/** Minor units of a currency, above zero (decisions: "Which card"). */
export const positiveMinor = whole('must be an integer in minor units').positive('must be above zero');
export const positiveCount = whole('must be a whole number').positive('must be above zero');

/** @param error for what is another number or none; one that is missing, and one above 2^53 - 1, have other words */
function whole(error: string): z.ZodInt {
  return z.int({
    error: ({ code, input }) => (code === 'too_big' ? 'is too large' : input === undefined ? undefined : error),
  });
}

/** Points may have decimals, at most three (decisions: "Errors and limits"). */
export const positivePoints = points(z.number().positive({ error: 'must be above zero', abort: true }));
/** The points of a new card in the sandbox: zero or more, at most three decimals. */
export const pointsFromZero = points(z.number().min(0));

function points(from: z.ZodNumber): z.ZodNumber {
  return from.check(
    z.lte(1e12, { error: 'is too large', abort: true }),
    // The written form is compared, because a product with 1000 is not exact for large numbers.
    z.refine((value) => Number(value.toFixed(3)) === value, 'must have at most three decimals'),
  );
}

/** The card and the value of an earn or a redemption. */
export const cardAndValueFields = () => ({
  card_id: text.optional(),
  amount_minor: positiveMinor.optional(),
  currency: currency.optional(),
  points: positivePoints.optional(),
  stamps: positiveCount.optional(),
  visits: positiveCount.optional(),
});

function hasAtMostBytes(text: string, most: number): boolean {
  // A UTF-16 unit takes at most three bytes, so a short text needs no exact count.
  return 3 * text.length <= most || utf8Length(text) <= most;
}

function utf8Length(text: string): number {
  let bytes = 0;
  for (const character of text) {
    const codePoint = character.codePointAt(0) ?? 0;
    bytes += codePoint < 0x80 ? 1 : codePoint < 0x800 ? 2 : codePoint < 0x10000 ? 3 : 4;
  }
  return bytes;
}

export const metadata = z
  .record(z.string(), z.unknown())
  .refine(
    (value) => hasAtMostBytes(JSON.stringify(value), maxMetadataBytes),
    `must be at most ${maxMetadataBytes} bytes`,
  );

export const intents = ['earn', 'redeem', 'reverse', 'enroll', 'adjust'] as const;
/** What a transaction is (spec "Transaction"). */
export type Intent = (typeof intents)[number];
