import { describe, expect, it } from 'vitest';
import {
  changesLeft,
  currencyShown,
  type Draft,
  type Form,
  isChange,
  modeShown,
  patchOf,
  refusalOf,
} from '../../../renderer/settings/draft.ts';
import type { ShownSetting } from '../../../shared/till/settings-views.ts';

const field = (name: string, kind: ShownSetting['kind'], value: unknown, rest: Partial<ShownSetting> = {}) =>
  ({ name, kind, value, source: 'saved', locked: false, section: 'till', default_value: null, ...rest }) as const;

const fields: readonly ShownSetting[] = [
  field('mode', 'mode', 'sandbox'),
  field('api_key', 'key', 'test …1234'),
  field('currency', 'code', null, { default_value: 'KWD' }),
  field('limits.earn', 'money', 12_500),
  field('shop', 'text', 'Avenues'),
  field('branch', 'text', null),
  field('managed', 'text', 'Marina', { locked: true }),
];
const typed = (draft: Draft): Form => ({ fields, draft });

describe('the mode and the currency as shown', () => {
  it('are the saved ones, and the default where none is saved', () => {
    expect([modeShown(typed({})), currencyShown(typed({}))]).toEqual(['sandbox', 'KWD']);
  });

  it('are what is typed over them', () => {
    const form = typed({ mode: 'production', currency: ' USD ' });
    expect([modeShown(form), currencyShown(form)]).toEqual(['production', 'USD']);
  });

  it('are sandbox and the default where what is typed is none', () => {
    const form = typed({ mode: 'x', currency: ' ' });
    expect([modeShown(form), currencyShown(form)]).toEqual(['sandbox', 'KWD']);
  });
});

describe('the patch', () => {
  it('has what is typed alone, and null for an empty text', () => {
    expect(patchOf(typed({ shop: ' Marina ', branch: '' }))).toEqual({
      patch: { shop: 'Marina', branch: null },
      problems: {},
    });
  });

  it('has an amount in the currency that is typed with it', () => {
    expect(patchOf(typed({ 'limits.earn': '12.50' })).patch).toEqual({ 'limits.earn': 12_500 });
    expect(patchOf(typed({ 'limits.earn': '12.50', currency: 'USD' })).patch).toEqual({
      'limits.earn': 1250,
      currency: 'USD',
    });
  });

  it('names the field whose text is no value, and no field that the screen does not have', () => {
    expect(patchOf(typed({ 'limits.earn': 'much', unknown: 'x' }))).toEqual({
      patch: {},
      problems: { 'limits.earn': 'wrong' },
    });
  });

  it.each([
    ['loyalty_pk_test_1', undefined, {}],
    ['loyalty_pk_live_1', undefined, { api_key: 'wrong_kind' }],
    ['loyalty_pk_live_1', 'production', {}],
    ['something else', undefined, { api_key: 'no_key' }],
    ['', undefined, {}],
  ])('takes the key %j with the mode typed %j only where they belong together', (api_key, mode, problems) => {
    expect(patchOf(typed({ api_key, mode })).problems).toEqual(problems);
  });
});

describe('a refusal', () => {
  const problemOf = (name: string, draft: Draft = {}) =>
    refusalOf(typed(draft), [{ field: name, problem: 'x' }]).problems[name];

  it('is said at its field', () => {
    expect(problemOf('managed', { managed: 'Avenues' })).toBe('locked');
    expect(problemOf('shop')).toBe('wrong');
    expect(problemOf('shop', { shop: '' })).toBe('needed');
    expect(problemOf('branch')).toBe('needed');
    expect(problemOf('branch', { branch: 'x' })).toBe('wrong');
  });

  it('of a saved key that nobody typed is for its address', () => {
    expect(problemOf('api_key')).toBe('for_another_address');
    expect(problemOf('api_key', { api_key: 'x' })).toBe('wrong');
    expect(problemOf('api_key', { api_key: '' })).toBe('needed');
  });

  it('of a part of a field is said at the field', () => {
    const refused = [{ field: 'shop.0', problem: 'too long' }];
    expect(refusalOf(typed({ shop: 'x' }), refused)).toEqual({ problems: { shop: 'wrong' }, others: [] });
  });

  it("of no field is in the agent's words", () => {
    const refused = [
      { field: '', problem: 'the file cannot be written' },
      { field: 'shopping', problem: 'is unknown' },
    ];
    expect(refusalOf(typed({}), refused)).toEqual({
      problems: {},
      others: ['the file cannot be written', 'shopping: is unknown'],
    });
  });
});

describe('a change', () => {
  it('is another text than that of the saved value', () => {
    expect(isChange(typed({}), 'shop', 'Marina')).toBe(true);
    expect(isChange(typed({}), 'shop', 'Avenues')).toBe(false);
    expect(isChange(typed({}), 'branch', '')).toBe(false);
    expect(isChange(typed({}), 'limits.earn', '12.500')).toBe(false);
    expect(isChange(typed({ currency: 'USD' }), 'limits.earn', '12.500')).toBe(true);
  });

  it('is each text of a key, and of a field that is not known yet', () => {
    expect(isChange(typed({}), 'api_key', '')).toBe(true);
    expect(isChange({ fields: [], draft: {} }, 'shop', 'Avenues')).toBe(true);
  });

  it('is left where it is neither saved just now nor the value from before', () => {
    const form = typed({ shop: 'Avenues', branch: 'first', mode: 'production', api_key: undefined });
    expect(changesLeft(form, { branch: 'first' })).toEqual({ mode: 'production' });
  });
});
