import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import { assertNever } from '../../shared/lib/assert-never.ts';
import { foldDigits } from '../../shared/money.ts';
import type { TillError } from '../../shared/till/api.ts';
import type { HoldView } from '../../shared/till/hold-views.ts';
import { maxReceiptNumberLength } from '../../shared/till/limits.ts';
import { DialogFoot, FailureNotice } from '../components/dialog-parts.tsx';
import { FormField, type FormFieldProps, PinField } from '../components/form-field.tsx';
import { Keypad } from '../components/keypad.tsx';
import { ModalForm } from '../components/modal.tsx';
import { Segments } from '../components/segments.tsx';
import { useWords } from '../copy/use-words.ts';
import { useModel } from '../model.ts';
import { decimalsOf, type EntryProblem, keypadKeys, type NumberKind, noLimits, readEntry } from '../sale/entry.ts';
import { AmountBox } from '../sale/entry-fields.tsx';
import type { Entry, EntryFor } from '../sale/entry-flow.ts';
import { asksForPin, markMistake, openEntry, pressKeypad, typeAmount } from '../sale/entry-flow.ts';
import { EntryHead } from '../sale/entry-head.tsx';
import { heldAmount, holdFailureWords } from '../sale/operation-words.ts';
import { hasOtherCard } from '../sale/other-card.ts';
import { ScanNote } from '../sale/scan-note.tsx';
import { type Holdable, holdableOf, holdMinutes } from './holding.ts';
import type { HoldDialog as Dialog } from './holds.ts';

/** Hold for an order, and what follows when it is paid. */
export function HoldDialog({ dialog }: { readonly dialog: Dialog }) {
  switch (dialog.kind) {
    case 'reserve':
      return <Reserve holdFor={dialog.holdFor} />;
    case 'commit':
      return <Commit hold={dialog.hold} />;
    default:
      return assertNever(dialog);
  }
}

/** What is under way, and why the last try came to nothing. Whatever is tried next is another write. */
interface Trying {
  readonly operationId: string;
  readonly busy: boolean;
  readonly failure: TillError | null;
  /** A manager's, as it stands in its field; null until the agent asks for one. */
  readonly pin: string | null;
}

type Follow = (asking: Promise<{ ok: true } | { ok: false; error: TillError }>) => void;

function useTrying(): readonly [Trying, Follow, (pin: string) => void] {
  const { holds, newId } = useModel();
  const [trying, setTrying] = useState<Trying>(() => ({ operationId: newId(), busy: false, failure: null, pin: null }));
  const follow: Follow = (asking) => {
    setTrying({ ...trying, busy: true, failure: null });
    void asking.then((reply) => {
      if (reply.ok) {
        holds.close();
        return;
      }
      const { error } = reply;
      // Only what is proven not to have happened may be asked for as something else.
      const isProven = error.code === 'refused' || error.code === 'not_sent';
      setTrying({
        operationId: isProven ? newId() : trying.operationId,
        busy: false,
        failure: error,
        pin: asksForPin(error) ? '' : trying.pin,
      });
    });
  };
  return [trying, follow, (pin) => setTrying({ ...trying, pin, failure: null })];
}

function Reserve({ holdFor }: { readonly holdFor: EntryFor }) {
  const { frame, holds, sale } = useModel();
  const words = frame.words.value;
  const ownWords = useWords('holds');
  const choices = holdableOf(holdFor.card);
  const currency = holdFor.card?.balances.currency ?? frame.till.value?.currency ?? 'KWD';
  const [trying, follow, typePin] = useTrying();
  const [entry, setEntry] = useState<Entry>(() => openEntry('', choices[0] ?? 'redeem_points', holdFor, currency));
  const [minutes, setMinutes] = useState<number>(holdMinutes[0]);
  const [cart, setCart] = useState('');
  const numbers = numberEntry({ ...entry, busy: trying.busy });
  const edit = (change: (now: Entry) => Entry): void => {
    if (!trying.busy) setEntry(change(entry));
  };

  const confirm = (): void => {
    const read = readEntry(entry.text, entry.kind, noLimits);
    if (!read.ok) {
      setEntry(markMistake(entry, read.problem));
      return;
    }
    if (!('amount_minor' in read.value || 'points' in read.value)) return;
    setEntry(markMistake(entry, null));
    follow(
      holds.reserve({
        operation_id: trying.operationId,
        identifier: holdFor.identifier,
        customer_name: holdFor.customerName,
        ...(holdFor.card === null ? {} : { card_id: holdFor.card.card_id }),
        ...read.value,
        ttl_minutes: minutes,
        ...(cart.trim() === '' ? {} : { cart_number: cart.trim() }),
        ...(trying.pin === null || trying.pin === '' ? {} : { pin: foldDigits(trying.pin) }),
      }),
    );
  };
  return (
    <Frame
      head={<EntryHead title={words.holds.button} icon="package" tone="info" entryFor={holdFor} />}
      trying={trying}
      problem={entry.problem}
      hasOther={hasOtherCard(sale.cards.value, holdFor.card?.card_id ?? null, [entry.operation])}
      confirm={trying.busy ? ownWords.holding : ownWords.hold}
      onConfirm={confirm}
    >
      {numbers !== null && (
        <div class="entry-body">
          <div class="entry-fields">
            {choices.length > 1 && (
              <Segments
                legend={ownWords.what}
                name="hold-what"
                options={choices.map((value) => ({ value, label: labelOf(value) }))}
                chosen={choices.find((value) => value === entry.operation) ?? null}
                onChoose={(value) => edit(() => openEntry('', value, holdFor, currency))}
              />
            )}
            <AmountBox
              entry={numbers}
              title={words.entry.labels[numbers.kind.unit]}
              onType={(text) => edit((now) => typeAmount(now, text))}
            />
            <Segments
              legend={ownWords.howLong}
              name="hold-minutes"
              options={holdMinutes.map((value) => ({
                value,
                label: ownWords.minutes(frame.format.value.number(value)),
              }))}
              chosen={minutes}
              onChoose={setMinutes}
            />
            <NumberField id="hold-cart" label={ownWords.cart} value={cart} isReadOnly={trying.busy} onInput={setCart} />
            {trying.pin !== null && (
              <PinField
                id="hold-pin"
                label={words.entry.pin}
                value={trying.pin}
                isReadOnly={trying.busy}
                onInput={typePin}
              />
            )}
          </div>
          <Keypad
            keys={keypadKeys}
            label={words.entry.keypad}
            eraseLabel={words.keys.erase}
            write={frame.format.value.digits}
            onPress={(key) => edit((now) => pressKeypad(now, key))}
            onClear={() => edit((now) => typeAmount(now, ''))}
            look="pad"
            idleKeys={decimalsOf(entry.kind) === 0 ? ['.'] : []}
          />
        </div>
      )}
    </Frame>
  );

  function labelOf(operation: Holdable): string {
    return operation === 'redeem_points' ? ownWords.points : ownWords.amount;
  }
}

function Commit({ hold }: { readonly hold: HoldView }) {
  const { frame, holds } = useModel();
  const words = frame.words.value;
  const ownWords = useWords('holds');
  const [trying, follow] = useTrying();
  const [order, setOrder] = useState('');
  const holdFor = { customerName: hold.customer_name, card: null, hint: hold.identifier_hint };
  const confirm = (): void =>
    follow(
      holds.commit({
        operation_id: trying.operationId,
        hold_id: hold.hold_id,
        ...(order.trim() === '' ? {} : { order_number: order.trim() }),
      }),
    );
  return (
    <Frame
      head={<EntryHead title={ownWords.commit} icon="package" tone="info" entryFor={holdFor} />}
      trying={trying}
      confirm={trying.busy ? ownWords.committing : ownWords.commit}
      onConfirm={confirm}
    >
      <div class="entry-body entry-body-single">
        <div class="entry-fields">
          <p class="held-amount">
            <bdi>{heldAmount(hold, words, frame.format.value)}</bdi>
          </p>
          <p class="quiet">{ownWords.isSpent}</p>
          <NumberField
            id="hold-order"
            label={ownWords.order}
            note={ownWords.orderHint}
            value={order}
            isReadOnly={trying.busy}
            onInput={setOrder}
            isFirst
          />
        </div>
      </div>
    </Frame>
  );
}

interface FrameProps {
  readonly head: ComponentChildren;
  readonly trying: Trying;
  /** What is wrong with what was entered. */
  readonly problem?: EntryProblem | null;
  /** The customer has another card that offers the same. */
  readonly hasOther?: boolean;
  readonly confirm: string;
  readonly onConfirm: () => void;
  readonly children: ComponentChildren;
}

function Frame({ head, trying, problem = null, hasOther = false, confirm, onConfirm, children }: FrameProps) {
  const { frame, holds } = useModel();
  const words = frame.words.value;
  const close = (): void => {
    if (!trying.busy) holds.close();
  };
  const { failure } = trying;
  const dialog = holds.dialog.value;
  const who = (dialog?.kind === 'commit' ? dialog.hold.customer_name : dialog?.holdFor.customerName) ?? null;
  return (
    <ModalForm
      titleId="entry-title"
      look="hold"
      thenTo="find_box"
      mistake={problem ?? failure}
      onLeave={close}
      onConfirm={() => {
        if (!trying.busy) onConfirm();
      }}
    >
      {head}
      <ScanNote who={who} />
      {children}
      <FailureNotice
        failure={failure}
        advice={failure === null ? undefined : holdFailureWords(failure, words, { hasOther })}
      />
      <DialogFoot
        cancel={words.entry.cancel}
        onCancel={close}
        confirm={confirm}
        isIdle={trying.busy || frame.link.value !== 'open'}
      />
    </ModalForm>
  );
}

/** A number that stands on paper: typed, or scanned from it. */
function NumberField(
  props: Pick<FormFieldProps, 'id' | 'label' | 'note' | 'value' | 'isReadOnly' | 'onInput' | 'isFirst'>,
) {
  return <FormField {...props} maxLength={maxReceiptNumberLength} acceptsScan />;
}

function numberEntry(entry: Entry): (Entry & { readonly kind: NumberKind }) | null {
  const { kind } = entry;
  return kind.unit === 'reward' || kind.unit === 'coupon' ? null : { ...entry, kind };
}
