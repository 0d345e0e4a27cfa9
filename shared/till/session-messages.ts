import { z } from 'zod';

// How a page and its agent meet on a WebSocket, before anything else is said: each proves to the other that it has the
// session's secret, and neither says it (docs/design/agent.md "Running it").

/** An HMAC-SHA-256, or what it is made with, in hexadecimal digits. */
const hex = z.string().regex(/^[0-9a-f]{64}$/);

/** What the page answers: the one-time token of its address, for a session; or the proof of the session that it has. */
export const introductionSchema = z.union([
  z.object({ token: z.string().max(128) }),
  z.object({ session: z.string().max(64), challenge: hex, proof: hex }),
]);
export type Introduction = z.infer<typeof introductionSchema>;
