import { Icon } from '../components/icon.tsx';
import { useModel } from '../model.ts';
import { Failure } from './lab-parts.tsx';
import { type Situation, situationIcons, situationOf, situations } from './situations.ts';
import { useLab } from './use-lab.ts';

const first: readonly Situation[] = ['normal', 'cut'];

/** The trainer's part: one press sets how the connection behaves. */
export function PracticePanel() {
  const { lab, words } = useLab();
  const faults = lab.faults.value;
  const current = lab.wanted.value ?? (faults === null ? null : situationOf(faults));
  return (
    <div class="lab-panel">
      <div class="lab-intro">
        <h2 class="title">{words.practice.title}</h2>
        <p class="quiet">{words.practice.note}</p>
      </div>
      <Failure />
      <OtherCauses isOwn={faults !== null && current === null} />
      <div class="lab-situations" role="radiogroup" aria-label={words.practice.group}>
        {first.map((situation) => (
          <SituationTile key={situation} situation={situation} isChosen={situation === current} isLarge />
        ))}
        <h3 class="section-title lab-situations-more">{words.practice.more}</h3>
        {situations
          .filter((situation) => !first.includes(situation))
          .map((situation) => (
            <SituationTile key={situation} situation={situation} isChosen={situation === current} />
          ))}
      </div>
    </div>
  );
}

interface SituationTileProps {
  readonly situation: Situation;
  readonly isChosen: boolean;
  readonly isLarge?: boolean;
}

function SituationTile({ situation, isChosen, isLarge = false }: SituationTileProps) {
  const { frame } = useModel();
  const { lab, words } = useLab();
  const { title, next } = words.practice.situations[situation];
  const hits = isChosen ? (lab.faults.value?.find(({ hits_left: left }) => left !== 0)?.hits ?? 0) : 0;
  return (
    <label
      class={
        isLarge
          ? 'situation situation-large tickable tickable-tile panel row gap-3'
          : 'situation tickable tickable-tile panel row gap-3'
      }
      data-situation={situation}
    >
      <input
        class="situation-radio"
        type="radio"
        name="situation"
        aria-label={title}
        aria-describedby={`situation-${situation}`}
        checked={isChosen}
        onChange={() => void lab.choose(situation)}
      />
      <span class={isLarge ? 'tile tile-large situation-tile' : 'tile situation-tile'}>
        <Icon name={situationIcons[situation]} size={isLarge ? 28 : 20} />
      </span>
      <span class="two-lines">
        <span class="situation-title">{title}</span>
        <span class="situation-next" id={`situation-${situation}`}>
          {hits > 0 ? words.practice.met(hits, frame.format.value.number(hits)) : next}
        </span>
      </span>
      <span class="situation-check" aria-hidden="true">
        <Icon name="check" size={18} />
      </span>
    </label>
  );
}

/** Names other changes to the sandbox, so that nobody wonders about their effects. */
function OtherCauses({ isOwn }: { readonly isOwn: boolean }) {
  const { frame } = useModel();
  const { lab, words } = useLab();
  const till = frame.till.value;
  const isClockMoved = till !== null && (!till.clock_runs || Math.abs(till.lab?.clock_ahead_ms ?? 0) >= 1000);
  const isSuspended = lab.overview.value?.settings.suspended === true;
  if (!isOwn && !isClockMoved && !isSuspended) return null;
  return (
    <ul class="stack gap-2">
      {isOwn && (
        <Cause
          title={words.practice.own.title}
          next={words.practice.own.next}
          label={words.practice.look}
          onPress={() => lab.show('faults')}
        />
      )}
      {isClockMoved && (
        <Cause
          title={words.practice.clockMoved.title}
          next={words.practice.clockMoved.next}
          label={words.practice.look}
          onPress={() => lab.show('clock')}
        />
      )}
      {isSuspended && (
        <Cause
          title={words.practice.suspendedByRule.title}
          next={words.practice.suspendedByRule.next}
          label={words.practice.lift}
          onPress={() => void lab.act('lab.change_settings', { changes: { suspended: false } })}
        />
      )}
    </ul>
  );
}

interface CauseProps {
  readonly title: string;
  readonly next: string;
  readonly label: string;
  readonly onPress: () => void;
}

function Cause({ title, next, label, onPress }: CauseProps) {
  return (
    <li class="notice tone-warning lab-cause">
      <Icon name="circle-alert" size={24} />
      <span class="two-lines">
        <strong>{title}</strong>
        <span class="notice-line">{next}</span>
      </span>
      <button type="button" class="button button-outline" onClick={onPress}>
        {label}
      </button>
    </li>
  );
}
