import { type TillReply, tillCommands } from '../../shared/till/api.ts';
import type { AgentCore } from '../core/agent-core.ts';
import type { Approval } from '../operations/reversals/reversal-row.ts';
import type { SignedInCashier } from './cashier.ts';
import { command, type Handlers } from './command.ts';
import { asManager } from './manager-pin.ts';
import { operationView } from './operation-view.ts';
import { cancelOperation, recentOperations, takeEarn } from './operations.ts';
import { succeeded } from './replies.ts';
import { decide, enroll, takeBack, takeRedemption, verify } from './writes.ts';

type OperationCommand =
  | 'operation.earn'
  | 'operation.cancel'
  | 'operation.redeem'
  | 'operation.reverse'
  | 'operation.decide'
  | 'operations.recent'
  | 'customer.enroll'
  | 'customer.verify';

/** The commands that make an operation, or undo one, in the name of whoever is signed in. */
export function operationHandlers(core: AgentCore, signedIn: SignedInCashier): Handlers<OperationCommand> {
  /** For another cashier's operation a manager has to confirm it. */
  function approved<Answer>(
    operationId: string,
    pin: string | undefined,
    undo: (approval?: Approval) => Promise<TillReply<Answer>>,
  ): Promise<TillReply<Answer>> {
    return signedIn.isAnothers(operationId) ? asManager(core, pin, (by) => undo({ by })) : undo();
  }

  return {
    'operation.earn': command(tillCommands['operation.earn'], (input) => takeEarn(core, signedIn.stamped(input))),
    'operation.cancel': command(tillCommands['operation.cancel'], ({ operation_id, pin }) =>
      approved(operation_id, pin, (approval) => cancelOperation(core, operation_id, approval)),
    ),
    'operation.redeem': command(tillCommands['operation.redeem'], (input) =>
      takeRedemption(core, signedIn.stamped(input)),
    ),
    'operation.reverse': command(tillCommands['operation.reverse'], (input) => {
      const by = signedIn.presser;
      return approved(input.reverses, input.pin, (approval) =>
        takeBack(core, input, approval === undefined ? by : { ...by, approval }),
      );
    }),
    'operation.decide': command(tillCommands['operation.decide'], (input) => decide(core, input)),
    'operations.recent': command(tillCommands['operations.recent'], ({ limit }) =>
      succeeded({ operations: recentOperations(core, limit).map(operationView) }),
    ),
    'customer.enroll': command(tillCommands['customer.enroll'], (input) => enroll(core, input, signedIn.presser)),
    'customer.verify': command(tillCommands['customer.verify'], (input) => verify(core, input, signedIn.presser)),
  };
}
