import type { TillError, TillErrorCode, TillReply } from '../../shared/till/api.ts';

export type Reply<Answer> = TillReply<Answer> | Promise<TillReply<Answer>>;

export function succeeded<Answer>(value: Answer): TillReply<Answer> {
  return { ok: true, value };
}

export function failed(
  code: TillErrorCode,
  message: string,
  more: Omit<TillError, 'code' | 'message'> = {},
): TillReply<never> {
  return { ok: false, error: { code, message, ...more } };
}
