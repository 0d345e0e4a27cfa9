import { z } from 'zod';
import { parsedBody } from './row-request.ts';

const namesOriginal = z.object({ external_ref: z.string(), intent: z.enum(['earn', 'redeem']) });

/** What the frozen body of a reversal takes back; null when it names no reference. */
export function originalOf(body: string): z.output<typeof namesOriginal> | null {
  const named = namesOriginal.safeParse(parsedBody(body));
  return named.success ? named.data : null;
}
