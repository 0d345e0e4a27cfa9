import { useRef } from 'preact/hooks';
import { useLead } from '../../components/asking.ts';
import { PinField } from '../../components/form-field.tsx';
import { useModel } from '../../model.ts';

interface AskedPinProps {
  readonly pin: string;
  readonly isReadOnly: boolean;
}

/** A manager's PIN, asked for beside the amount. Digits that are typed before it is there are kept by the entry. */
export function AskedPin({ pin, isReadOnly }: AskedPinProps) {
  const { frame, sale } = useModel();
  const root = useRef<HTMLDivElement>(null);
  // It comes a moment after the entry has asked for it.
  useLead(root, { step: '', mistake: 'comes' });
  return (
    <div ref={root} class="asked-field">
      <PinField
        id="entry-pin"
        label={frame.words.value.entry.pin}
        value={pin}
        isReadOnly={isReadOnly}
        onInput={sale.typePin}
        typesHere
      />
    </div>
  );
}
