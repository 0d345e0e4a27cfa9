import { Icon } from '../components/icon.tsx';
import { useModel } from '../model.ts';
import { useSettings } from './context.ts';
import { failureNext } from './failure-next.ts';

/** Shows what is not saved yet, and how the last Save ended. Either everything is saved, or nothing. */
export function SaveBar() {
  const { frame } = useModel();
  const { settings, words } = useSettings();
  const { draft, news, saving } = settings;
  const format = frame.format.value;
  const count = Object.keys(draft.value).length;
  if (count === 0 && news.value === null) return null;
  const isSaved = count === 0 && news.value?.kind === 'saved';
  return (
    <div class={isSaved ? 'save-bar save-bar-done split gap-4' : 'save-bar split gap-4'} data-saved={isSaved}>
      <div class="save-news" role="status">
        {isSaved ? (
          <span class="save-line tone-text-success">
            <Icon name="circle-check" />
            <strong>{words.save.saved}</strong>
          </span>
        ) : (
          <News fallback={words.save.changes(count, format.number(count))} />
        )}
      </div>
      {count > 0 && (
        <div class="save-actions">
          <button type="button" class="button button-ghost" onClick={settings.discard}>
            {words.save.discard}
          </button>
          <button
            type="button"
            class="button button-primary save-button"
            aria-disabled={saving.value}
            onClick={() => void settings.save()}
          >
            {saving.value ? words.save.saving : words.save.save}
          </button>
        </div>
      )}
    </div>
  );
}

function News({ fallback }: { readonly fallback: string }) {
  const { frame } = useModel();
  const { settings, words } = useSettings();
  const news = settings.news.value;
  const problemCount = Object.keys(settings.problems.value).length;
  if (news?.kind === 'refused' && problemCount > 0) {
    return (
      <span class="save-line tone-text-danger">
        <Icon name="circle-alert" />
        <strong>{words.save.refused(problemCount, frame.format.value.number(problemCount))}</strong>
      </span>
    );
  }
  if (news?.kind === 'refused_whole') {
    return (
      <span class="save-line tone-text-danger">
        <Icon name="circle-alert" />
        <span>
          <strong>{words.save.refusedWhole}</strong>
          {news.lines.map((line) => (
            <bdi key={line} class="notice-line ref" dir="ltr">
              {line}
            </bdi>
          ))}
        </span>
      </span>
    );
  }
  if (news?.kind === 'failed') {
    return (
      <span class="save-line tone-text-danger">
        <Icon name="triangle-alert" />
        <span>
          <strong>{frame.words.value.errors[news.error.code].title}</strong>
          <span class="notice-line">
            {failureNext(news.error, words) ?? frame.words.value.errors[news.error.code].next}
          </span>
        </span>
      </span>
    );
  }
  return (
    <span class="save-line">
      <span class="office-dot" />
      <strong>{fallback}</strong>
    </span>
  );
}
