import type { z } from 'zod';
import { validate } from '../../shared/contract/problems.ts';
import type { TillCommandName, TillReply } from '../../shared/till/api.ts';
import { type Reply, refusedInput } from './replies.ts';

/** Handles any input that the page sent with a command. @param page its connection, where it came over one */
export type Handler = (given: unknown, page?: object) => Promise<TillReply<unknown>>;
export type Handlers<Name extends TillCommandName> = Readonly<Record<Name, Handler>>;

/** A command with its schema: THE place where a page's input is checked. */
export function command<Input extends z.ZodType, Answer extends z.ZodType>(
  shape: { readonly input: Input; readonly answer: Answer },
  answer: (input: z.output<Input>, page?: object) => Reply<z.output<Answer>>,
): Handler {
  return async (given, page) => {
    const input = validate(shape.input, given);
    return input.kind === 'valid' ? answer(input.value, page) : refusedInput(input.problems);
  };
}
