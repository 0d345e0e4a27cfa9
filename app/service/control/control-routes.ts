import type { Result } from '../answer.ts';
import { resumeCard, suspendCard } from './cards.ts';
import { moveClock, readClock } from './clock.ts';
import type { ControlCall, ControlContext } from './control-context.ts';
import { addCustomer, changeCustomer } from './customers.ts';
import { addFault, clearFaults, listFaults, removeFault } from './fault-rules.ts';
import { addKey, changeKey, listKeys, revokeKey } from './keys.ts';
import { readOpenApi } from './openapi.ts';
import { listOtps, readOtp } from './otp.ts';
import { overview, reset } from './overview.ts';
import { clearRequests, listRequests, readRequest } from './requests.ts';
import { patchSettings, readSettings } from './tenant-settings.ts';
import { failTransaction } from './transactions.ts';

interface ControlRoute {
  readonly method: 'GET' | 'POST' | 'PATCH' | 'DELETE';
  /** Relative to `control_url`. */
  readonly path: string;
  /** What it looks at, and checks; fields anywhere else are refused. */
  readonly takes?: 'body' | 'query';
  readonly run: (context: ControlContext, call: ControlCall) => Result;
}

/** THE table of the control API. */
export const controlRoutes: readonly ControlRoute[] = [
  { method: 'GET', path: '/', run: overview },
  { method: 'GET', path: '/openapi.json', run: readOpenApi },
  { method: 'POST', path: '/reset', takes: 'body', run: reset },
  { method: 'GET', path: '/settings', run: readSettings },
  { method: 'PATCH', path: '/settings', takes: 'body', run: patchSettings },
  { method: 'GET', path: '/clock', run: readClock },
  { method: 'POST', path: '/clock', takes: 'body', run: moveClock },
  { method: 'POST', path: '/customers', takes: 'body', run: addCustomer },
  { method: 'PATCH', path: '/customers/{customer_id}', takes: 'body', run: changeCustomer },
  { method: 'GET', path: '/otp', run: listOtps },
  { method: 'GET', path: '/otp/{enrollment_id}', run: readOtp },
  { method: 'POST', path: '/faults', takes: 'body', run: addFault },
  { method: 'GET', path: '/faults', run: listFaults },
  { method: 'DELETE', path: '/faults', run: clearFaults },
  { method: 'DELETE', path: '/faults/{id}', run: removeFault },
  { method: 'POST', path: '/transactions/{id}/fail', takes: 'body', run: failTransaction },
  { method: 'GET', path: '/requests', takes: 'query', run: listRequests },
  { method: 'DELETE', path: '/requests', run: clearRequests },
  { method: 'GET', path: '/requests/{request_id}', run: readRequest },
  { method: 'GET', path: '/keys', run: listKeys },
  { method: 'POST', path: '/keys', takes: 'body', run: addKey },
  { method: 'PATCH', path: '/keys/{key}', takes: 'body', run: changeKey },
  { method: 'DELETE', path: '/keys/{key}', run: revokeKey },
  { method: 'POST', path: '/cards/{card_id}/suspend', run: suspendCard },
  { method: 'POST', path: '/cards/{card_id}/resume', run: resumeCard },
];
