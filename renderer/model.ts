import { createContext } from 'preact';
import { useContext } from 'preact/hooks';
import { defaultCurrency } from '../shared/contract/default-currency.ts';
import type { Clock } from '../shared/lib/clock.ts';
import type { TillApi } from '../shared/till/api.ts';
import type { Copy } from './copy/copy.ts';
import { createEnroll, type Enroll } from './enroll/enroll.ts';
import { type Cashier, createCashier } from './frame/cashier.ts';
import { createFrame, type Frame, type Memory } from './frame/frame.ts';
import { whenAnswered } from './frame/when-answered.ts';
import { createGuide, type Guide } from './guide/guide.ts';
import { createHolds, type Holds } from './holds/holds.ts';
import { reversalUnderWay } from './operation/standing.ts';
import { createRecent, type Recent } from './recent/recent.ts';
import { createHistory, type History } from './sale/customer/history.ts';
import { createSale } from './sale/sale.ts';
import type { Sale } from './sale/sale-parts.ts';
import { createScans, type Scans } from './scanner/scans.ts';
import type { Presses } from './shell/presses.ts';
import type { Sounds } from './shell/sound.ts';

/** Everything the screens show and do. Nothing of value is kept here, because the page can be closed at any time. */
export interface Model extends Pick<ModelParts, 'api' | 'clock' | 'presses' | 'newId'> {
  readonly frame: Frame;
  readonly recent: Recent;
  readonly sale: Sale;
  readonly history: History;
  readonly holds: Holds;
  readonly enroll: Enroll;
  readonly scans: Scans;
  readonly cashier: Cashier;
  readonly guide: Guide;
}

interface ModelParts {
  readonly api: TillApi;
  readonly clock: Clock;
  readonly presses: Presses;
  readonly newId: () => string;
  readonly sounds: Sounds;
  readonly memory: Memory;
  readonly copy: Copy;
}

export function createModel(parts: ModelParts): Model {
  const frame = createFrame(parts);
  /** Whether a cashier has to sign in first. Until then the agent finds no customer. */
  const isShut = (): boolean => (frame.till.value?.sign_in ?? null) !== null;
  const sale = createSale({
    ...parts,
    till: frame.till,
    isElsewhere: () => enroll.enrollment.value !== null || isShut(),
    isHidden: () => frame.screen.value !== 'sale' || isShut(),
    holds: { reserve: (input) => holds.reserve(input), commit: (input) => holds.commit(input) },
    onSaved: (operation) => recent.take(operation),
    earlierSpends: () => recent.spends(),
    newest: (operationId) => recent.find(operationId),
    isBeingUndone: (operation) => reversalUnderWay(recent.operations.value ?? [], operation) !== null,
    nowMs: () => frame.nowMs.value,
  });
  const history = createHistory(parts.api, sale.stage);
  const recent = createRecent({ ...parts, nowMs: () => frame.nowMs.value }, (operation, before) => {
    sale.takeOperation(operation, before);
    history.heard(operation);
  });
  const holds = createHolds({
    ...parts,
    serviceNowMs: frame.serviceNowMs,
    onReleased: sale.moved,
  });
  const enroll = createEnroll({
    ...parts,
    now: () => ({ epochMs: frame.nowMs.value, monotonicMs: frame.monotonicMs.value }),
    currency: () => frame.till.value?.currency ?? defaultCurrency,
    templateId: () => frame.till.value?.enroll_templates[0]?.template_id ?? null,
    onCustomer: sale.bringBeside,
    onClosed: sale.takeWaitingScan,
  });
  const { api, clock, presses, newId } = parts;
  const guide = createGuide(parts);
  const scans = createScans();
  const cashier = createCashier({ ...parts, scans, till: frame.till });
  whenAnswered(frame, () => void Promise.all([recent.read(), holds.read()]));
  return { api, clock, presses, newId, frame, recent, sale, history, holds, enroll, scans, cashier, guide };
}

export const ModelContext = createContext<Model | null>(null);

export function useModel(): Model {
  const model = useContext(ModelContext);
  if (model === null) throw new Error('A component stands outside of ModelContext');
  return model;
}
