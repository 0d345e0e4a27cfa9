import { z } from 'zod';

// The first messages of a page and its agent on a WebSocket. Each proves to the other that it has the session's secret,
// and neither sends the secret (docs/design/agent.md "Running it").

/** An HMAC-SHA-256, or a random challenge that is signed, in hexadecimal digits. */
const hex = z.string().regex(/^[0-9a-f]{64}$/);

/** The page's answer: the one-time token of its address to get a session, or the proof of its session. */
export const introductionSchema = z.union([
  z.object({ token: z.string().max(128) }),
  z.object({ session: z.string().max(64), challenge: hex, proof: hex }),
]);
export type Introduction = z.infer<typeof introductionSchema>;
