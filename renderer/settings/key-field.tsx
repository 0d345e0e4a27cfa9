import { useRef } from 'preact/hooks';
import { keyPrefix } from '../../shared/till/key-prefix.ts';
import type { ShownSetting } from '../../shared/till/settings-views.ts';
import { Icon } from '../components/icon.tsx';
import { useSettings } from './context.ts';
import { idOf } from './fields.ts';

/** The API key, which can be written but not read. Only the last characters of the saved key are shown. */
export function KeyField({ field }: { readonly field: ShownSetting }) {
  const { settings, words } = useSettings();
  const typed = settings.draft.value.api_key;
  const input = useRef<HTMLInputElement>(null);
  const isWrong = settings.problems.value.api_key !== undefined;
  const isOpen = settings.enteringKey.value || (typed !== undefined && typed !== '') || isWrong;
  const isRemoved = typed === '' && !isOpen;
  const keep = (): void => settings.putBack('api_key');
  if (!isOpen) {
    return (
      <div class="key-kept split wrap">
        <KeptKey value={field.value} isRemoved={isRemoved} />
        <span class="key-actions">
          {isRemoved ? (
            <button type="button" class="button button-outline" onClick={keep}>
              {words.key.keep}
            </button>
          ) : (
            <button
              type="button"
              class="button button-outline"
              onClick={() => {
                settings.enterKey();
                requestAnimationFrame(() => input.current?.focus());
              }}
            >
              {field.value === null ? words.key.enter : words.key.replace}
            </button>
          )}
          {field.value !== null && !isRemoved && settings.mode.value === settings.fact('mode')?.value && (
            <button type="button" class="button button-ghost" onClick={() => settings.type('api_key', '')}>
              {words.key.remove}
            </button>
          )}
        </span>
      </div>
    );
  }
  return (
    <div class="key-entry">
      <div class="key-line">
        <input
          id={idOf(field)}
          ref={input}
          class="text-input"
          type="password"
          dir="ltr"
          spellcheck={false}
          autoComplete="off"
          maxLength={255}
          aria-label={words.key.label}
          aria-invalid={isWrong}
          aria-describedby={isWrong ? `${idOf(field)}-wrong` : `${idOf(field)}-starts`}
          value={typed ?? ''}
          onInput={(event) => {
            const { value } = event.currentTarget;
            if (value === '') settings.putBack('api_key');
            else settings.type('api_key', value);
            settings.enterKey();
          }}
        />
        <button type="button" class="button button-ghost" onClick={keep}>
          {field.value === null ? words.cancel : words.key.keep}
        </button>
      </div>
      {!isWrong && (
        <p class="field-note" id={`${idOf(field)}-starts`}>
          {words.key.starts(keyPrefix[settings.mode.value])}
        </p>
      )}
    </div>
  );
}

function KeptKey({ value, isRemoved }: { readonly value: unknown; readonly isRemoved: boolean }) {
  const { settings, words } = useSettings();
  const isOtherMode = settings.mode.value !== settings.fact('mode')?.value;
  if (isOtherMode) {
    return <p class="key-words">{words.key.otherMode(words.modes[settings.mode.value].title)}</p>;
  }
  if (value === 'sealed') return <p class="key-words tone-text-warning">{words.key.sealed}</p>;
  if (typeof value !== 'string') {
    const isBuiltIn = settings.mode.value === 'sandbox' && settings.fact('base_url')?.value === null;
    return (
      <p class="key-words">
        <span>{words.key.none}</span>
        {isBuiltIn && <span class="quiet">{words.key.noneNeeded}</span>}
      </p>
    );
  }
  return (
    <p class={isRemoved ? 'key-words key-gone' : 'key-words'}>
      <span class="key-fact">
        <Icon name="key-round" size={16} />
        {words.key.kept}
        <bdi dir="ltr" class="key-ending">
          {value.split('…').at(-1)}
        </bdi>
      </span>
      {isRemoved && <span class="tone-text-warning">{words.key.removed}</span>}
    </p>
  );
}
