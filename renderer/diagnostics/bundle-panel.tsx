import type { ComponentChildren } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import { Icon, type IconName } from '../components/icon.tsx';
import { useWords } from '../copy/use-words.ts';
import { useModel } from '../model.ts';
import type { DiagnosticsState } from './state.ts';

/** One file for support. Its content is listed before it is saved, and it has no secrets in it. */
export function BundlePanel({ state }: { readonly state: DiagnosticsState }) {
  const { frame } = useModel();
  const words = useWords('diagnostics');
  const format = frame.format.value;
  const { busy, preview } = state.bundle.value;
  const size = (bytes: number): string =>
    words.bundle.kilobytes(format.number(bytes < 10_240 ? Math.ceil(bytes / 102.4) / 10 : Math.round(bytes / 1024)));
  const total = preview?.parts.reduce((sum, { bytes }) => sum + bytes, 0) ?? 0;
  const isClean = preview !== null && preview.found === null;
  return (
    <section class="office-card" aria-labelledby="bundle-title">
      <div class="office-list-head">
        <div class="two-lines">
          <h3 id="bundle-title" class="office-label">
            {words.bundle.what}
          </h3>
          <p class="office-note">{words.bundle.about}</p>
        </div>
        <button
          type="button"
          class="button button-outline"
          aria-disabled={busy !== null}
          onClick={() => void state.previewBundle()}
        >
          <Icon name="search" />
          {busy === 'preview' ? words.bundle.previewing : words.bundle.preview}
        </button>
      </div>
      {preview === null && busy === null && (
        <p class="hollow">
          <strong>{words.bundle.emptyTitle}</strong>
          {words.bundle.emptyNext}
        </p>
      )}
      {preview === null && busy !== null && <span class="skeleton office-skeleton-row" aria-hidden="true" />}
      {preview !== null && (
        <>
          <ul class="office-list stack">
            {preview.parts.map(({ name, bytes }) => (
              <li key={name} class="office-item bundle-part row gap-3" data-part={name}>
                <span class="bundle-name">
                  {Object.entries(words.bundle.names).find(([known]) => known === name)?.[1] ?? words.bundle.logFile}
                </span>
                <bdi dir="ltr" class="ref quiet">
                  {name}
                </bdi>
                <span class="bundle-size">{size(bytes)}</span>
              </li>
            ))}
          </ul>
          <div class="bundle-foot split gap-4">
            <p class="quiet">
              {words.bundle.total(preview.parts.length, format.number(preview.parts.length), size(total))}
              {isClean && ` · ${words.bundle.clean}`}
            </p>
            <button
              type="button"
              class="button button-primary"
              aria-disabled={busy !== null || !isClean}
              onClick={() => {
                if (isClean) void state.saveBundle();
              }}
            >
              <Icon name="download" />
              {busy === 'save' ? words.bundle.saving : words.bundle.save}
            </button>
          </div>
        </>
      )}
      <div role="status">
        <News state={state} />
      </div>
    </section>
  );
}

function News({ state }: { readonly state: DiagnosticsState }) {
  const { frame } = useModel();
  const words = useWords('diagnostics');
  const { preview, saved, failure } = state.bundle.value;
  const found = saved?.kind === 'found_secret' ? saved.found : (preview?.found ?? null);
  if (found !== null) {
    return (
      <Said tone="danger" icon="circle-alert" title={words.bundle.refused} name="found_secret">
        {words.bundle.refusedNext(found.part, words.bundle.kinds[found.what])}
      </Said>
    );
  }
  if (saved?.kind === 'saved') {
    return (
      <Said tone="success" icon="circle-check" title={words.bundle.saved} name="saved">
        {words.bundle.savedNext}
        <bdi dir="ltr" class="ref bundle-file">
          {saved.file}
        </bdi>
      </Said>
    );
  }
  if (saved?.kind === 'not_written') {
    return (
      <Said tone="danger" icon="triangle-alert" title={words.bundle.notWritten} name="not_written">
        <bdi dir="ltr" class="ref">
          {saved.reason}
        </bdi>
      </Said>
    );
  }
  if (failure === null) return null;
  return (
    <Said tone="danger" icon="triangle-alert" title={words.failed} name="failed">
      {frame.words.value.errors[failure.code].title}
    </Said>
  );
}

interface SaidProps {
  readonly tone: 'success' | 'danger';
  readonly icon: IconName;
  readonly title: string;
  readonly name: string;
  readonly children: ComponentChildren;
}

function Said({ tone, icon, title, name, children }: SaidProps) {
  const place = useRef<HTMLDivElement>(null);
  useEffect(() => place.current?.scrollIntoView({ block: 'nearest' }), []);
  return (
    <div class={`notice tone-${tone} bundle-news`} data-bundle={name} ref={place}>
      <Icon name={icon} size={24} />
      <span class="two-lines">
        <strong>{title}</strong>
        {children}
      </span>
    </div>
  );
}
