import { useState } from 'preact/hooks';
import { defaultCurrency } from '../../shared/contract/default-currency.ts';
import { useModel } from '../model.ts';
import { Check, Choice, Failure, Field, LabDialog, Press } from './lab-parts.tsx';
import { customerBody, type NewCard, type NewCustomer, newCard } from './new-customer.ts';
import { useLab } from './use-lab.ts';

interface NewCustomerDialogProps {
  /** @param made the new customer's id; null when the dialog was left without one */
  readonly onClose: (made: string | null) => void;
}

const firstTemplate = 'tpl_reward';

/** Makes a customer with any cards and balances. */
export function NewCustomerDialog({ onClose }: NewCustomerDialogProps) {
  const { newId } = useModel();
  const { lab, words } = useLab();
  const templates = lab.overview.value?.templates ?? [];
  const currency = lab.overview.value?.settings.currency ?? defaultCurrency;
  const [customer, setCustomer] = useState<NewCustomer>(() => ({
    name: '',
    phone: '',
    email: '',
    externalId: '',
    isVerified: true,
    cards: [newCard(newId(), firstTemplate)],
  }));
  const [badField, setBadField] = useState<string | null>(null);
  const edit = (change: Partial<NewCustomer>): void => {
    setCustomer({ ...customer, ...change });
    setBadField(null);
    lab.forget();
  };
  const editCard = (id: string, change: Partial<NewCard>): void =>
    edit({ cards: customer.cards.map((card) => (card.id === id ? { ...card, ...change } : card)) });
  const problems = words.newCustomer.problems;
  const problemOf = (field: string, problem: string): string | undefined => (badField === field ? problem : undefined);

  const make = async (): Promise<void> => {
    const read = customerBody(customer, templates, currency);
    if (!read.ok) {
      setBadField(read.field);
      return;
    }
    const made = await lab.act('lab.add_customer', { customer: read.body });
    if (made !== null) onClose(made.customer_id);
    else setBadField(lab.failure.value?.error.field ?? null);
  };

  return (
    <LabDialog
      id="lab-new-customer"
      icon="user-plus"
      title={words.newCustomer.title}
      isWide
      problem={badField}
      onClose={() => onClose(null)}
      confirm={{ label: words.newCustomer.make, run: () => void make() }}
    >
      <div class="lab-grid">
        <Field
          id="lab-name"
          label={words.newCustomer.name}
          value={customer.name}
          isFirst
          problem={problemOf('name', problems.name)}
          onInput={(name) => edit({ name })}
        />
        <Field
          id="lab-phone"
          label={words.customers.phone}
          direction="ltr"
          inputMode="tel"
          value={customer.phone}
          problem={problemOf('phone', problems.phone)}
          onInput={(phone) => edit({ phone })}
        />
        <Field
          id="lab-email"
          label={words.customers.email}
          direction="ltr"
          inputMode="email"
          value={customer.email}
          problem={problemOf('email', problems.email)}
          onInput={(email) => edit({ email })}
        />
        <Field
          id="lab-external"
          label={words.customers.externalId}
          direction="ltr"
          value={customer.externalId}
          problem={problemOf('external_id', problems.external_id)}
          onInput={(externalId) => edit({ externalId })}
        />
      </div>
      <Check
        label={words.newCustomer.verified}
        isChecked={customer.isVerified}
        onChange={(isVerified) => edit({ isVerified })}
      />
      {customer.cards.map((card, index) => (
        <CardFields
          key={card.id}
          card={card}
          index={index}
          problemOf={problemOf}
          onEdit={(change) => editCard(card.id, change)}
          onRemove={() => edit({ cards: customer.cards.filter((other) => other !== card) })}
        />
      ))}
      <div>
        <Press
          label={words.newCustomer.addCard}
          icon="plus"
          onPress={() => edit({ cards: [...customer.cards, newCard(newId(), firstTemplate)] })}
        />
      </div>
      {badField === null && <Failure />}
    </LabDialog>
  );
}

interface CardFieldsProps {
  readonly card: NewCard;
  readonly index: number;
  readonly problemOf: (field: string, problem: string) => string | undefined;
  readonly onEdit: (change: Partial<NewCard>) => void;
  readonly onRemove: () => void;
}

function CardFields({ card, index, problemOf, onEdit, onRemove }: CardFieldsProps) {
  const { frame } = useModel();
  const { lab, words } = useLab();
  const templates = lab.overview.value?.templates ?? [];
  const currency = lab.overview.value?.settings.currency ?? defaultCurrency;
  const template = templates.find((other) => other.template_id === card.templateId);
  const at = `cards.${index}`;
  return (
    <fieldset class="lab-new-card panel stack gap-3">
      <legend class="section-title">{words.newCustomer.card(frame.format.value.number(index + 1))}</legend>
      <div class="lab-grid">
        <Choice
          id={`lab-template-${card.id}`}
          label={words.newCustomer.kind}
          value={card.templateId}
          choices={templates.map(({ template_id, name }) => ({ value: template_id, label: name }))}
          onChoose={(templateId) => onEdit({ templateId })}
        />
        <Field
          id={`lab-number-${card.id}`}
          label={words.newCustomer.number}
          note={words.newCustomer.numberHint}
          direction="ltr"
          value={card.loyaltyId}
          problem={problemOf(`${at}.loyalty_id`, words.newCustomer.problems.loyalty_id)}
          onInput={(loyaltyId) => onEdit({ loyaltyId })}
        />
        {template?.balances.map((balance) => (
          <Field
            key={balance}
            id={`lab-${balance}-${card.id}`}
            label={
              balance === 'cashback_minor'
                ? `${words.newCustomer.balances[balance]} (${currency})`
                : words.newCustomer.balances[balance]
            }
            direction="ltr"
            inputMode="decimal"
            value={card.balances[balance]}
            problem={problemOf(`${at}.balances.${balance}`, words.newCustomer.problems.balance)}
            onInput={(value) => onEdit({ balances: { ...card.balances, [balance]: value } })}
          />
        ))}
      </div>
      <div class="split wrap">
        <Check
          label={words.newCustomer.isSuspended}
          isChecked={card.isSuspended}
          onChange={(isSuspended) => onEdit({ isSuspended })}
        />
        <Press label={words.remove} icon="trash-2" look="ghost" onPress={onRemove} />
      </div>
    </fieldset>
  );
}
