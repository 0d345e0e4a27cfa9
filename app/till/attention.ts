import type { z } from 'zod';
import { cardOperationsBy } from '../../shared/contract/card-names.ts';
import { keptIdentifierSchema } from '../../shared/contract/identifier.ts';
import { assertNever } from '../../shared/lib/assert-never.ts';
import type { TillAnswer, TillReply } from '../../shared/till/api.ts';
import { attentionCommands } from '../../shared/till/attention-commands.ts';
import { carriedCount } from '../../shared/till/carried-count.ts';
import { changedOnDiskCode } from '../../shared/till/own-errors.ts';
import type { AgentCore } from '../core/agent-core.ts';
import type { CorrectOutcome } from '../operations/attention-outcome.ts';
import type { SignedInCashier } from './cashier.ts';
import { command, type Handlers } from './command.ts';
import { aboveLimit, withinLimits } from './limits.ts';
import { asManager } from './manager-pin.ts';
import { operationView } from './operation-view.ts';
import { failed, noSuchOperation, succeeded } from './replies.ts';

type SignedIn = Pick<SignedInCashier, 'isAnothers'>;
const nobodys: SignedIn = { isAnothers: () => false };

/**
 * The commands for operations that need attention. @param cashier knows which operations are another cashier's; without
 * it none is
 */
export function attentionHandlers(
  core: AgentCore,
  cashier: SignedIn = nobodys,
): Handlers<keyof typeof attentionCommands> {
  return {
    'attention.list': command(attentionCommands['attention.list'], ({ limit, after_row }) =>
      succeeded({
        operations: core.needingAttention({ limit, afterRowId: after_row ?? 0 }).map(operationView),
      }),
    ),
    'attention.resend': command(attentionCommands['attention.resend'], ({ operation_id, reason, pin }) => {
      const resend = (person: string | null) => attended(core.resend(operation_id, { reason, person }));
      return isChangedOnDisk(core, operation_id) ? asManager(core, pin, resend) : resend(null);
    }),
    'attention.correct': command(attentionCommands['attention.correct'], (input) => correctSale(core, input, cashier)),
    'attention.cards': command(attentionCommands['attention.cards'], ({ operation_id }) =>
      cardsFor(core, operation_id),
    ),
    'attention.replace': command(attentionCommands['attention.replace'], ({ operation_id, reason, receipt_number }) =>
      attended(core.replace(operation_id, { reason, person: null }, receipt_number ?? null)),
    ),
    'attention.keep': command(attentionCommands['attention.keep'], ({ operation_id, reason }) =>
      attended(core.keep(operation_id, { reason, person: null })),
    ),
    'attention.take_back': command(attentionCommands['attention.take_back'], ({ operation_id, reason, pin }) => {
      const takeBack = (person: string | null) => attended(core.takeBack(operation_id, { reason, person }));
      return cashier.isAnothers(operation_id) ? asManager(core, pin, takeBack) : takeBack(null);
    }),
    'attention.write_off': command(attentionCommands['attention.write_off'], ({ operation_id, reason, pin }) =>
      asManager(core, pin, (person) => attended(core.writeOff(operation_id, { reason, person }))),
    ),
  };
}

/**
 * The cards of a refused or failed sale's customer that may take it. Only the service is asked, because a saved card may
 * be gone, and then the sale would be refused again.
 */
export async function cardsFor(
  core: Pick<AgentCore, 'operationById' | 'identify'>,
  operationId: string,
): Promise<TillReply<TillAnswer<'attention.cards'>>> {
  const operation = core.operationById(operationId);
  if (operation === null) return noSuchOperation;
  const { intent, state, identifier } = operation;
  if (intent !== 'earn' || (state !== 'refused' && state !== 'failed') || identifier === null) {
    return failed('not_now', `It is ${operation.state}.`, { details: [operationView(operation)] });
  }
  const { kind, value } = identifier;
  const outcome = await core.identify(keptIdentifierSchema.parse({ [kind]: value }));
  switch (outcome.kind) {
    case 'done': {
      // A sale with only an amount is a purchase.
      const wanted = cardOperationsBy('earn', [carriedCount(operation)?.unit ?? 'money']);
      const cards = outcome.answer.cards.filter(({ allowed_operations }) =>
        wanted.every((one) => allowed_operations.includes(one)),
      );
      return succeeded({ cards, other_cards: outcome.answer.cards.length - cards.length });
    }
    case 'refused': {
      const { code, message, details } = outcome.error;
      if (code === 'CUSTOMER_NOT_FOUND') return failed('customer_not_found', message);
      return failed('refused', message, { service_code: code, details: details ?? [] });
    }
    case 'unknown':
      return failed('offline', outcome.message);
    default:
      return assertNever(outcome);
  }
}

/**
 * Sends a refused or failed sale corrected. A manager has to allow an amount above a limit, and a card that the service
 * does not name for this customer. Without managers both are refused. A sale that was changed on the disk and another
 * cashier's sale need a manager only on a till with managers.
 */
export async function correctSale(
  core: Pick<AgentCore, 'correct' | 'people' | 'operationById' | 'identify'>,
  input: z.output<(typeof attentionCommands)['attention.correct']['input']>,
  cashier: SignedIn = nobodys,
): Promise<TillReply<{ operation: ReturnType<typeof operationView> }>> {
  const { operation_id, reason, pin, version: seenVersion = null, ...correction } = input;
  const { card_id } = correction;
  const isOwnCard = card_id === undefined || (await isCardOfCustomer(core, operation_id, card_id));
  const isOwn = !isChangedOnDisk(core, operation_id) && !cashier.isAnothers(operation_id);
  const correct = (approvedBy: string | null = null) =>
    core.correct(operation_id, correction, {
      reason,
      person: approvedBy,
      ...(approvedBy !== null && { approvedBy }),
      seenVersion,
    });
  if (isOwnCard && isOwn) return withinLimits(core, pin, correct, attendedReply);
  if (core.people.hasManagers) return asManager(core, pin, (person) => attended(correct(person)));
  if (isOwnCard) return attended(correct());
  return failed('invalid', "card_id: is not known to be one of this customer's that takes it.", { field: 'card_id' });
}

/** Whether it was held because the database was changed. The person who sends it on accepts what it says now. */
function isChangedOnDisk(core: Pick<AgentCore, 'operationById'>, operationId: string): boolean {
  return core.operationById(operationId)?.error?.code === changedOnDiskCode;
}

async function isCardOfCustomer(
  core: Pick<AgentCore, 'operationById' | 'identify'>,
  operationId: string,
  cardId: string,
): Promise<boolean> {
  const found = await cardsFor(core, operationId);
  return found.ok && found.value.cards.some(({ card_id }) => card_id === cardId);
}

/** The reply to a person's decision about an operation. */
async function attended(
  deciding: Promise<CorrectOutcome>,
): Promise<TillReply<{ operation: ReturnType<typeof operationView> }>> {
  return attendedReply(await deciding);
}

function attendedReply(outcome: CorrectOutcome): TillReply<{ operation: ReturnType<typeof operationView> }> {
  switch (outcome.kind) {
    case 'done':
      return succeeded({ operation: operationView(outcome.operation) });
    case 'not_now':
      return failed('not_now', `It is ${outcome.operation.state}.`, { details: [operationView(outcome.operation)] });
    case 'books_unread':
      return failed('books_unread', 'The service cannot be asked now.', {
        details: [operationView(outcome.operation)],
      });
    case 'invalid':
      return failed('invalid', outcome.problems.map(({ field, problem }) => `${field}: ${problem}`).join('; '), {
        field: outcome.problems[0]?.field ?? '',
      });
    case 'not_found':
      return noSuchOperation;
    case 'reference_taken':
      return failed('reference_taken', `${outcome.operation.externalRef} stands for another sale.`, {
        field: 'receipt_number',
      });
    case 'above_limit':
      return aboveLimit(outcome.limit);
    case 'not_saved':
      return failed('not_saved', outcome.message);
    default:
      return assertNever(outcome);
  }
}
