import { FirstIcon } from '../../components/first-icon.tsx';
import { loadLater } from '../../components/load-later.tsx';
import { maskedContact } from '../../copy/format.ts';
import type { Stage } from '../../find/stage.ts';
import { useModel } from '../../model.ts';

const VisitFact = loadLater(
  () => import('./customer-in-front.tsx'),
  (module) => module.VisitFact,
  'past',
);

/**
 * Who the customer in front is. It comes with the first load, because an entry below it is drawn at once: the cashier
 * sees whose sale it is, and no key moves.
 */
export function CustomerHead({ stage }: { readonly stage: Extract<Stage, { kind: 'customer' }> }) {
  const { frame } = useModel();
  const words = frame.words.value.customer;
  const { profile } = stage.found;
  const contact = maskedContact(profile);
  return (
    <div class="customer-head row gap-4">
      <span class="avatar" aria-hidden="true">
        {initialsOf(profile.name) ?? <FirstIcon name="id-card" size={24} />}
      </span>
      <div class="customer-who">
        <h2 class="customer-name">
          <bdi>{profile.name ?? words.nameless}</bdi>
        </h2>
        <p class="customer-facts row wrap">
          {contact !== null && (
            <bdi dir="ltr" class="fact">
              {contact}
            </bdi>
          )}
          {profile.verified ? (
            <span class="badge tone-success">
              <FirstIcon name="badge-check" size={16} />
              {words.verified}
            </span>
          ) : (
            <span class="badge tone-neutral">
              <FirstIcon name="circle-help" size={16} />
              {words.notVerified}
            </span>
          )}
          <VisitFact stage={stage} />
        </p>
      </div>
    </div>
  );
}

function initialsOf(name: string | null): string | null {
  const parts = name?.trim().split(/\s+/) ?? [];
  // Taken apart as text is, because half of an emoji is no letter.
  const [first] = parts[0] ?? '';
  const [last] = (parts.length > 1 ? parts.at(-1) : null) ?? '';
  // Arabic letters join, so two initials side by side would look like a word.
  if (first !== undefined && /\p{Script=Arabic}/u.test(first)) return first;
  return first === undefined ? null : (first + (last ?? '')).toLocaleUpperCase();
}
