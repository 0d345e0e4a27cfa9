import { expect, test } from 'vitest';
import { displayStateIn } from '../../../renderer/customer/display-state.ts';

const state = { view: { kind: 'nobody' }, locale: 'ar', shop: 'Salmiya', currency: 'KWD', is_online: true };
const customer = { kind: 'customer', is_confirmed: true, name: 'Fatima', rewards: [], balance: null };

test.each([
  ['nobody at the till', state],
  ['a customer', { ...state, view: customer }],
  ['a customer without a name', { ...state, view: { ...customer, name: null } }],
])("the customers' screen takes a state with %s", (_what, given) => {
  expect(displayStateIn({ type: 'state', state: given })).toEqual(given);
});

test.each([
  ['text', 'state'],
  ['nothing', null],
  ['another kind of message', { type: 'operation', state }],
  ['no state', { type: 'state' }],
  ['a language that there is not', { type: 'state', state: { ...state, locale: 'xx' } }],
  ['a shop that is no text', { type: 'state', state: { ...state, shop: 7 } }],
  ['no currency', { type: 'state', state: { ...state, currency: undefined } }],
  ['a line that is neither', { type: 'state', state: { ...state, is_online: 'yes' } }],
  ['no view', { type: 'state', state: { ...state, view: null } }],
  ['a view of another kind', { type: 'state', state: { ...state, view: { kind: 'cashier' } } }],
  ['a customer whose name is no text', { type: 'state', state: { ...state, view: { ...customer, name: 7 } } }],
  [
    'a customer without a list of rewards',
    { type: 'state', state: { ...state, view: { ...customer, rewards: null } } },
  ],
])("the customers' screen takes nothing from a message with %s", (_what, message) => {
  expect(displayStateIn(message)).toBeNull();
});
