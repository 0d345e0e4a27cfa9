/** What starts otherwise is no date: `Date.parse` would take `-5` for one. */
const beginning = /^(?:[a-z]{3,9},?\s|\d{4}-\d{2}-\d{2}T)/i;
const zone = /(?:gmt|utc?|z|[+-]\d{2}:?\d{2})$/i;

/**
 * A date as HTTP headers have it (RFC 9110 "Date/Time Formats"), in milliseconds since 1970. One without a zone is in GMT,
 * not in the till's own.
 *
 * @returns null for what is no date
 */
export function httpDateMs(text: string): number | null {
  const date = text.trim();
  if (!beginning.test(date)) return null;
  const instantMs = Date.parse(zone.test(date) ? date : `${date} GMT`);
  return Number.isNaN(instantMs) ? null : instantMs;
}

const earliestMs = Date.UTC(2020);
const latestMs = Date.UTC(2100);

/** All answers of a second have the same date: it is read once. */
let lastRead: { readonly text: string; readonly instantMs: number | null } = { text: '', instantMs: null };

/**
 * The same of a clock that goes. One before 2020 or from 2100 on is broken, and says nothing of any other clock.
 */
export function clockDateMs(text: string): number | null {
  if (text !== lastRead.text) lastRead = { text, instantMs: readClock(text) };
  return lastRead.instantMs;
}

function readClock(text: string): number | null {
  const instantMs = httpDateMs(text);
  return instantMs !== null && instantMs >= earliestMs && instantMs < latestMs ? instantMs : null;
}
