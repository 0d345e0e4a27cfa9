import { useState } from 'preact/hooks';
import type { LabKey } from '../../shared/till/lab-views.ts';
import { apart } from '../../shared/words/direction.ts';
import { useModel } from '../model.ts';
import { KeyDialog } from './key-dialog.tsx';
import { Copy, LabDialog, Press } from './lab-parts.tsx';
import { LabTable } from './lab-table.tsx';
import { useLab } from './use-lab.ts';

type Asked = { readonly kind: 'make' } | { readonly kind: 'change' | 'revoke'; readonly key: LabKey };

/** The API keys of the service: how long and from where each is valid. */
export function KeysPanel() {
  const { lab, words } = useLab();
  const [asked, setAsked] = useState<Asked | null>(null);
  const keys = lab.keys.value;
  const close = (): void => {
    setAsked(null);
    lab.forget();
  };
  return (
    <>
      <LabTable
        title={words.keys.title}
        actions={<Press label={words.keys.make} icon="plus" onPress={() => setAsked({ kind: 'make' })} />}
        rows={keys === null ? null : keys.keys.toSorted(byUse(keys.ownKey))}
        empty={{ title: words.keys.title, next: words.keys.make }}
        row={(key) => <KeyRow key={key.key} apiKey={key} isOwn={key.key === keys?.ownKey} onAsk={setAsked} />}
      />
      {asked?.kind === 'make' && <KeyDialog changed={null} onClose={close} />}
      {asked?.kind === 'change' && <KeyDialog changed={asked.key} onClose={close} />}
      {asked?.kind === 'revoke' && (
        <LabDialog
          id="lab-revoke"
          icon="trash-2"
          title={words.keys.revokeTitle}
          onClose={close}
          confirm={{
            label: words.keys.revoke,
            isDanger: true,
            run: () =>
              void lab.act('lab.revoke_key', { key: asked.key.key }).then((answer) => {
                if (answer !== null) close();
              }),
          }}
        >
          <p>{asked.key.key === keys?.ownKey ? words.keys.revokeOwn : words.keys.revokeOther}</p>
          <bdi dir="ltr" class="ref">
            {asked.key.key}
          </bdi>
        </LabDialog>
      )}
    </>
  );
}

/** Sorts the till's own key first, then the valid ones. */
function byUse(ownKey: string | null): (one: LabKey, other: LabKey) => number {
  const rank = (key: LabKey): number => (key.key === ownKey ? 0 : key.revoked ? 2 : 1);
  return (one, other) => rank(one) - rank(other);
}

interface KeyRowProps {
  readonly apiKey: LabKey;
  readonly isOwn: boolean;
  readonly onAsk: (asked: Asked) => void;
}

function KeyRow({ apiKey, isOwn, onAsk }: KeyRowProps) {
  const { frame } = useModel();
  const { lab, words, format } = useLab();
  const { key, source, expires_at: expiresAt, allowed_addresses: addresses, revoked } = apiKey;
  const isExpired = expiresAt !== null && Date.parse(expiresAt) <= frame.nowMs.value;
  const state = revoked ? 'revoked' : isExpired ? 'expired' : 'good';
  return (
    <li class="lab-row lab-key list-row" data-key={key} data-state={state}>
      <div class="two-lines lab-row-text">
        <span class="lab-row-title">
          <bdi dir="ltr" class="ref" data-copy>
            {key}
          </bdi>
          <span class={`badge ${state === 'good' ? 'tone-success' : 'tone-neutral'}`}>{words.keys.states[state]}</span>
          {isOwn && <span class="badge tone-waiting">{words.keys.own}</span>}
        </span>
        <span class="line-quiet lab-wrap">
          {words.keys.partner} <bdi>{source}</bdi>
          {' · '}
          {expiresAt === null ? words.keys.noEnd : words.keys.until(format.date(Date.parse(expiresAt)))}
          {' · '}
          {addresses === null ? words.keys.anywhere : words.keys.from(apart(addresses.join(', ')))}
        </span>
      </div>
      <div class="lab-row-actions">
        <Copy text={key} describedAs={`${words.copy}: ${key}`} />
        {!revoked && (
          <Press
            label={words.keys.change}
            look="ghost"
            describedAs={`${words.keys.change}: ${key}`}
            onPress={() => onAsk({ kind: 'change', key: apiKey })}
          />
        )}
        {revoked ? (
          <Press
            label={words.keys.allow}
            describedAs={`${words.keys.allow}: ${key}`}
            onPress={() => void lab.act('lab.change_key', { key, change: { revoked: false } })}
          />
        ) : (
          <Press
            label={words.keys.revoke}
            look="ghost"
            describedAs={`${words.keys.revoke}: ${key}`}
            onPress={() => onAsk({ kind: 'revoke', key: apiKey })}
          />
        )}
      </div>
    </li>
  );
}
