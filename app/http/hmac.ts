import { createHmac } from 'node:crypto';

/** What only somebody who has the secret can make of these words. Both are in hexadecimal digits: the secret, and what is made. */
export function hmac(secret: string, words: string): string {
  return createHmac('sha256', Buffer.from(secret, 'hex')).update(words).digest('hex');
}
