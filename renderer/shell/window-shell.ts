import { z } from 'zod';
import { type TillApi, type TillEvent, tillErrorSchema, tillEventSchema } from '../../shared/till/api.ts';
import { goneReply, parseAnswer } from './reply.ts';

/** What the desktop app's preload script puts on the page's window. */
export interface Tillbridge {
  call(request: { readonly command: string; readonly input: unknown }): Promise<unknown>;
  onEvent(listener: (event: unknown) => void): () => void;
}

const replySchema = z.discriminatedUnion('ok', [
  z.object({ ok: z.literal(true), value: z.unknown() }),
  z.object({ ok: z.literal(false), error: tillErrorSchema }),
]);

/** The page inside the desktop app: the agent lives in the same program, so the line is always open. */
export function windowShell(bridge: Tillbridge): TillApi {
  return {
    async call(command, input) {
      try {
        const reply = replySchema.safeParse(await bridge.call({ command, input }));
        if (!reply.success) return goneReply(`The reply to ${command} is not in shape`);
        return reply.data.ok ? parseAnswer(command, reply.data.value) : reply.data;
      } catch (error) {
        return goneReply(String(error));
      }
    },
    onEvent(listener: (event: TillEvent) => void) {
      return bridge.onEvent((event) => {
        const parsed = tillEventSchema.safeParse(event);
        if (parsed.success) listener(parsed.data);
      });
    },
    onLink(listener) {
      listener('open');
      return () => undefined;
    },
  };
}
