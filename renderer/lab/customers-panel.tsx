import { useState } from 'preact/hooks';
import { cardTypeOf } from '../../shared/contract/card-names.ts';
import { balancesMainFirst } from '../../shared/till/balances.ts';
import type { LabCard, LabCustomer } from '../../shared/till/lab-views.ts';
import { Icon } from '../components/icon.tsx';
import { QrCode } from '../components/qr-code.tsx';
import { balanceInWords } from '../copy/format.ts';
import type { LookUp } from '../find/shape.ts';
import { useModel } from '../model.ts';
import { Failure, Hollow, Press, Skeletons } from './lab-parts.tsx';
import { LabHead } from './lab-table.tsx';
import { NewCustomerDialog } from './new-customer-dialog.tsx';
import { useLab } from './use-lab.ts';

/** All customers of the sandbox, each with cards that a scanner can read from the screen. */
export function CustomersPanel() {
  const { lab, words } = useLab();
  const [text, setText] = useState('');
  const [chosenId, setChosenId] = useState<string | null>(null);
  const [isMaking, setIsMaking] = useState(false);
  const customers = lab.overview.value?.customers ?? null;
  const found = customers?.filter((customer) => isLike(customer, text)) ?? [];
  const chosen = found.find((customer) => customer.customer_id === chosenId) ?? found[0] ?? null;
  return (
    <div class="lab-panel lab-customers">
      <LabHead title={words.sections.customers}>
        <Press label={words.customers.make} icon="user-plus" onPress={() => setIsMaking(true)} />
      </LabHead>
      <div class="lab-tools">
        <input
          class="text-input lab-search"
          type="search"
          dir="auto"
          autoComplete="off"
          aria-label={words.customers.search}
          placeholder={words.customers.search}
          value={text}
          onInput={(event) => setText(event.currentTarget.value)}
        />
      </div>
      <Failure />
      {customers === null && <Skeletons label={words.loading} />}
      {customers?.length === 0 && <Hollow title={words.customers.emptyTitle} next={words.customers.emptyNext} />}
      {customers !== null && customers.length > 0 && found.length === 0 && (
        <Hollow title={words.customers.noneFound} next={words.customers.noneFoundNext} />
      )}
      {chosen !== null && (
        <div class="lab-split">
          <ul class="lab-people panel stack" aria-label={words.customers.list}>
            {found.map((customer) => (
              <CustomerEntry
                key={customer.customer_id}
                customer={customer}
                isChosen={customer === chosen}
                onChoose={() => setChosenId(customer.customer_id)}
              />
            ))}
          </ul>
          <Customer key={chosen.customer_id} customer={chosen} />
        </div>
      )}
      {isMaking && (
        <NewCustomerDialog
          onClose={(made) => {
            setIsMaking(false);
            if (made === null) return;
            setText('');
            setChosenId(made);
          }}
        />
      )}
    </div>
  );
}

function isLike(customer: LabCustomer, text: string): boolean {
  const wanted = text.trim().toLowerCase();
  const { name, phone, email, external_id: externalId } = customer;
  const texts = [name, phone, email, externalId, ...customer.cards.map((card) => card.loyalty_id)];
  return wanted === '' || texts.some((other) => other?.toLowerCase().includes(wanted) === true);
}

interface CustomerEntryProps {
  readonly customer: LabCustomer;
  readonly isChosen: boolean;
  readonly onChoose: () => void;
}

function CustomerEntry({ customer, isChosen, onChoose }: CustomerEntryProps) {
  const { words } = useLab();
  const { name, phone, email, cards } = customer;
  return (
    <li>
      <button type="button" class="lab-entry lab-person stack" aria-pressed={isChosen} onClick={onChoose}>
        <bdi class="lab-person-name">{name ?? words.customers.nameless}</bdi>
        <bdi class="line-quiet">{cards.map((card) => card.loyalty_id).join(', ') || phone || email}</bdi>
      </button>
    </li>
  );
}

function Customer({ customer }: { readonly customer: LabCustomer }) {
  const { words } = useLab();
  const { name, phone, email, external_id: externalId, verified, cards } = customer;
  const facts: readonly (readonly [string, string | null])[] = [
    [words.customers.phone, phone],
    [words.customers.email, email],
    [words.customers.externalId, externalId],
  ];
  return (
    <article class="lab-customer stack gap-4" data-customer={customer.customer_id}>
      <header class="lab-customer-head row wrap">
        <h2 class="title">
          <bdi>{name ?? words.customers.nameless}</bdi>
        </h2>
        <span class={`badge ${verified ? 'tone-success' : 'tone-neutral'}`}>
          {verified && <Icon name="badge-check" size={16} />}
          {verified ? words.customers.verified : words.customers.notVerified}
        </span>
      </header>
      <dl class="lab-facts">
        {facts.map(([label, value]) =>
          value === null ? null : (
            <div key={label}>
              <dt class="field-label">{label}</dt>
              <dd>
                <bdi dir="ltr">{value}</bdi>
              </dd>
            </div>
          ),
        )}
      </dl>
      {cards.length === 0 && <CardlessUse customer={customer} />}
      <ul class="stack gap-3">
        {cards.map((card) => (
          <Card key={card.card_id} card={card} />
        ))}
      </ul>
    </article>
  );
}

function useAtTheTill(): (lookUp: LookUp) => void {
  const { frame, sale } = useModel();
  return (lookUp) => {
    sale.bring(lookUp, null);
    frame.show('sale');
  };
}

function CardlessUse({ customer: { phone, email } }: { readonly customer: LabCustomer }) {
  const { words } = useLab();
  const bring = useAtTheTill();
  const lookUp: LookUp | null =
    phone !== null ? { kind: 'phone', text: phone } : email !== null ? { kind: 'email', text: email } : null;
  return (
    <div class="lab-cardless stack gap-3">
      <p class="quiet">{words.customers.noCards}</p>
      {lookUp !== null && (
        <Press label={words.customers.use} icon="scan-line" look="primary" onPress={() => bring(lookUp)} />
      )}
    </div>
  );
}

function Card({ card }: { readonly card: LabCard }) {
  const { frame } = useModel();
  const { lab, words } = useLab();
  const bring = useAtTheTill();
  const all = frame.words.value;
  const entry = { ...card, available_rewards: [], allowed_operations: [] };
  const type = cardTypeOf(entry);
  const balances = balancesMainFirst(entry).map((balance) => balanceInWords(balance, all, frame.format.value));
  const { card_id, loyalty_id: code, suspended } = card;
  return (
    <li class="lab-card panel" data-card={code} data-state={suspended ? 'suspended' : 'active'}>
      <QrCode text={code} label={words.customers.qr(code)} />
      <div class="lab-card-text field">
        <p class="lab-row-title">
          <bdi>{card.template_name}</bdi>
          {suspended && (
            <span class="badge tone-warning">
              <Icon name="ban" size={16} />
              {words.customers.suspended}
            </span>
          )}
        </p>
        <p class="line-quiet">
          {type === null ? all.unknownCardType : all.cardTypes[type]} ·{' '}
          <bdi dir="ltr" class="ref">
            {code}
          </bdi>
        </p>
        <p class="lab-card-balances">
          {balances.length === 0 ? words.customers.unknownTemplate : balances.join(' · ')}
        </p>
        <div class="lab-card-actions">
          <Press
            label={words.customers.use}
            icon="scan-line"
            look="primary"
            describedAs={`${words.customers.use}: ${code}`}
            onPress={() => bring({ kind: 'card', text: code })}
          />
          <Press
            label={suspended ? words.customers.resume : words.customers.suspend}
            look="ghost"
            describedAs={`${suspended ? words.customers.resume : words.customers.suspend}: ${code}`}
            onPress={() => void lab.act(suspended ? 'lab.resume_card' : 'lab.suspend_card', { card_id })}
          />
        </div>
      </div>
    </li>
  );
}
