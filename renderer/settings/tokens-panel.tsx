import { maxPrefixLength, maxTokenNameLength } from '../../shared/till/limits.ts';
import { mainTokenName } from '../../shared/till/main-token.ts';
import type { TokenFacts } from '../../shared/till/people-views.ts';
import { CopyButton } from '../components/copy-button.tsx';
import { FormDialog } from '../components/form-dialog.tsx';
import { FormField } from '../components/form-field.tsx';
import { Icon } from '../components/icon.tsx';
import { useWhenAnswered } from '../frame/use-when-answered.ts';
import { useModel } from '../model.ts';
import { useSettings } from './context.ts';
import { failureNext } from './failure-next.ts';

/** The programs that may send sales through this till, each with its token. */
export function TokensPanel() {
  const { tokens, words } = useSettings();
  useWhenAnswered(tokens.read);
  const all = tokens.tokens.value;
  return (
    <section class="office-card" aria-labelledby="settings-tokens">
      <div class="office-list-head">
        <div class="two-lines">
          <h3 id="settings-tokens" class="office-label">
            {words.tokens.title}
          </h3>
          <p class="office-note">{words.tokens.about}</p>
        </div>
        <button type="button" class="button button-outline" onClick={tokens.begin}>
          <Icon name="plus" />
          {words.tokens.make}
        </button>
      </div>
      {all === null ? (
        <span class="skeleton office-skeleton-row" aria-hidden="true" />
      ) : (
        <ul class="office-list stack" aria-label={words.tokens.list}>
          {all.map((token) => (
            <TokenRow key={token.name} token={token} />
          ))}
        </ul>
      )}
      {all?.length === 1 && (
        <p class="hollow">
          <strong>{words.tokens.emptyTitle}</strong>
          {words.tokens.emptyNext}
        </p>
      )}
      <TokenDialogs />
    </section>
  );
}

function TokenRow({ token }: { readonly token: TokenFacts }) {
  const { frame } = useModel();
  const { tokens, words } = useSettings();
  const format = frame.format.value;
  const isMain = token.name === mainTokenName && token.made_at === null;
  const when = (instant: string): string => format.dateTime(Date.parse(instant));
  return (
    <li class="office-item row gap-3" data-token={token.name}>
      <span class="tile tone-neutral">
        <Icon name={isMain ? 'store' : 'monitor'} />
      </span>
      <div class="office-item-text">
        <p class="office-item-name row wrap">
          {isMain ? words.tokens.main : <bdi>{token.name}</bdi>}
          {!isMain && <span class="badge tone-neutral">{words.tokens.prefix(token.reference_prefix)}</span>}
        </p>
        <p class="office-note">
          {isMain && <span>{words.tokens.mainNote}</span>}
          <span>
            {words.tokens.ending}{' '}
            <bdi dir="ltr" class="key-ending">
              {token.hint.replace('…', '')}
            </bdi>
          </span>
          {token.made_at !== null && <span>{words.tokens.made(when(token.made_at))}</span>}
          <span>{token.last_used_at === null ? words.tokens.unused : words.tokens.used(when(token.last_used_at))}</span>
        </p>
      </div>
      <button type="button" class="button button-ghost" onClick={() => tokens.askRevoke(token.name)}>
        {isMain ? words.tokens.renew : words.tokens.revoke}
        <span class="visually-hidden"> {isMain ? words.tokens.main : token.name}</span>
      </button>
    </li>
  );
}

function TokenDialogs() {
  const { tokens, words } = useSettings();
  const form = tokens.form.value;
  const made = tokens.made.value;
  const revoking = tokens.revoking.value;
  const wrong = (field: 'name' | 'prefix'): string | null => {
    const problem = form?.problem ?? null;
    return problem?.startsWith(field) === true ? words.tokens.wrong[problem] : null;
  };
  const isMain = revoking?.name === mainTokenName;
  return (
    <>
      {form !== null && (
        <FormDialog
          id="token-form"
          title={words.tokens.make}
          about={words.tokens.about}
          icon="monitor"
          problem={form.problem}
          failure={form.failure}
          failureNext={failureNext(form.failure, words)}
          busy={form.busy}
          cancel={words.cancel}
          confirm={words.tokens.make}
          onCancel={tokens.close}
          onConfirm={() => void tokens.make()}
        >
          <FormField
            id="token-name"
            label={words.tokens.name}
            note={words.tokens.nameNote}
            wrong={wrong('name')}
            dir="ltr"
            maxLength={maxTokenNameLength}
            isFirst
            value={form.name}
            onInput={(name) => tokens.type({ name })}
          />
          <FormField
            id="token-prefix"
            label={words.tokens.prefixLabel}
            note={words.tokens.prefixNote}
            wrong={wrong('prefix')}
            dir="ltr"
            maxLength={maxPrefixLength}
            value={form.prefix}
            onInput={(prefix) => tokens.type({ prefix })}
          />
        </FormDialog>
      )}
      {made !== null && <MadeToken name={made.name} token={made.token} />}
      {revoking !== null && (
        <FormDialog
          id="token-revoke"
          title={isMain ? words.tokens.renewTitle : words.tokens.revokeTitle(revoking.name)}
          icon="trash-2"
          tone="danger"
          failure={revoking.failure}
          failureNext={failureNext(revoking.failure, words)}
          busy={revoking.busy}
          isDangerous
          cancel={words.cancel}
          confirm={isMain ? words.tokens.renew : words.tokens.revoke}
          onCancel={tokens.close}
          onConfirm={() => void tokens.revoke()}
        >
          <p>{isMain ? words.tokens.revokeMainAbout : words.tokens.revokeAbout}</p>
          {isMain && <p>{words.tokens.renewed}</p>}
        </FormDialog>
      )}
    </>
  );
}

function MadeToken({ name, token }: { readonly name: string; readonly token: string }) {
  const { tokens, words } = useSettings();
  return (
    <FormDialog
      id="token-made"
      title={words.tokens.madeTitle(name)}
      about={words.tokens.madeAbout}
      icon="circle-check"
      tone="success"
      cancel={null}
      confirm={words.tokens.done}
      onCancel={tokens.close}
      onConfirm={tokens.close}
    >
      <div class="key-line">
        <code class="token-text row" dir="ltr" data-made-token data-copy>
          {token}
        </code>
        <CopyButton text={token} label={words.tokens.copy} doneLabel={words.tokens.copied} isFirst />
      </div>
    </FormDialog>
  );
}
