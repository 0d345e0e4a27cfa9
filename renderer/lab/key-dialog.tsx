import { useState } from 'preact/hooks';
import { foldDigits } from '../../shared/lib/digits.ts';
import type { LabKey } from '../../shared/till/lab-views.ts';
import { useModel } from '../model.ts';
import { Failure, Field, LabDialog, Press } from './lab-parts.tsx';
import { useLab } from './use-lab.ts';
import { instantOf, wallTextOf } from './wall-time.ts';

type Problem = 'ends' | 'addresses';

interface KeyDialogProps {
  /** Null: a new key is made. */
  readonly changed: LabKey | null;
  readonly onClose: () => void;
}

/** Asks until when and from which addresses a key is valid, and for a new key, who uses it. */
export function KeyDialog({ changed, onClose }: KeyDialogProps) {
  const { frame } = useModel();
  const { lab, words } = useLab();
  const timeZone = frame.till.value?.time_zone ?? 'UTC';
  const [source, setSource] = useState('');
  const [ends, setEnds] = useState(() =>
    changed?.expires_at == null ? '' : wallTextOf(Date.parse(changed.expires_at), timeZone),
  );
  const [addresses, setAddresses] = useState(changed?.allowed_addresses?.join(', ') ?? '');
  const [problem, setProblem] = useState<Problem | null>(null);

  const save = async (): Promise<void> => {
    const endsAtMs = ends === '' ? null : instantOf(ends, timeZone);
    if (ends !== '' && endsAtMs === null) {
      setProblem('ends');
      return;
    }
    const list = foldDigits(addresses)
      .split(/[\s,،]+/)
      .filter((address) => address !== '');
    const limits = {
      expires_at: endsAtMs === null ? null : new Date(endsAtMs).toISOString(),
      allowed_addresses: list.length === 0 ? null : list,
    };
    const answer =
      changed === null
        ? await lab.act('lab.add_key', { key: { ...limits, source: source.trim() === '' ? null : source.trim() } })
        : await lab.act('lab.change_key', { key: changed.key, change: limits });
    if (answer !== null) onClose();
    else if (lab.failure.value?.error.field?.startsWith('allowed_addresses') === true) setProblem('addresses');
  };
  const expireNow = async (key: string): Promise<void> => {
    const change = { expires_at: new Date(frame.nowMs.value).toISOString() };
    if ((await lab.act('lab.change_key', { key, change })) !== null) onClose();
  };

  return (
    <LabDialog
      id="lab-key"
      icon="key-round"
      title={changed === null ? words.keys.makeTitle : words.keys.changeTitle}
      problem={problem}
      onClose={onClose}
      confirm={{ label: changed === null ? words.keys.makeButton : words.save, run: () => void save() }}
    >
      {changed === null && (
        <Field
          id="lab-key-source"
          label={words.keys.partner}
          note={words.keys.partnerHint}
          isFirst
          value={source}
          onInput={setSource}
        />
      )}
      <Field
        id="lab-key-ends"
        label={words.keys.ends}
        type="datetime-local"
        direction="ltr"
        value={ends}
        note={words.keys.endsHint}
        problem={problem === 'ends' ? words.keys.badTime : undefined}
        onInput={(value) => {
          setEnds(value);
          setProblem(null);
        }}
      />
      <Field
        id="lab-key-addresses"
        label={words.keys.addresses}
        direction="ltr"
        value={addresses}
        note={words.keys.addressesHint}
        problem={problem === 'addresses' ? words.keys.badAddress : undefined}
        onInput={(value) => {
          setAddresses(value);
          setProblem(null);
          lab.forget();
        }}
      />
      {changed !== null && (
        <div>
          <Press label={words.keys.expireNow} icon="timer" onPress={() => void expireNow(changed.key)} />
        </div>
      )}
      {problem === null && <Failure />}
    </LabDialog>
  );
}
