import { useRef } from 'preact/hooks';
import { useLead } from '../../components/asking.ts';
import { PinField } from '../../components/form-field.tsx';
import { useModel } from '../../model.ts';

interface AskedPinProps {
  readonly pin: string;
  readonly isReadOnly: boolean;
}

/** Asks for a manager's PIN beside the amount. The entry keeps digits that were typed before this field appeared. */
export function AskedPin({ pin, isReadOnly }: AskedPinProps) {
  const { frame, sale } = useModel();
  const root = useRef<HTMLDivElement>(null);
  // The field appears a moment after the agent asked, so it moves the focus itself.
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
