import type { LabCode } from '../../shared/till/lab-views.ts';
import { countdown } from '../copy/format.ts';
import { useModel } from '../model.ts';
import { Copy } from './lab-parts.tsx';
import { LabTable } from './lab-table.tsx';
import { useLab } from './use-lab.ts';

/** The codes that were sent to customers' phones. */
export function CodesPanel() {
  const { lab, words } = useLab();
  return (
    <LabTable
      title={words.codes.title}
      note={<p class="quiet">{words.codes.note}</p>}
      rows={lab.codes.value}
      empty={{ title: words.codes.emptyTitle, next: words.codes.emptyNext }}
      row={(code) => <CodeRow key={code.enrollment_id} code={code} />}
    />
  );
}

function CodeRow({ code }: { readonly code: LabCode }) {
  const { frame } = useModel();
  const { words } = useLab();
  const format = frame.format.value;
  const leftMs = Date.parse(code.expires_at) - frame.nowMs.value;
  const number = (value: number): string => format.number(value);
  return (
    <li class="lab-row lab-code list-row" data-ref={code.external_ref} data-state={leftMs > 0 ? 'waiting' : 'expired'}>
      <bdi dir="ltr" class="lab-code-digits" data-copy>
        {code.otp}
      </bdi>
      <div class="two-lines lab-row-text">
        <span class="lab-row-title">
          <bdi dir="ltr">{code.phone}</bdi>
          {code.name !== null && <bdi class="quiet">{code.name}</bdi>}
        </span>
        <span class="line-quiet">
          {leftMs > 0 ? words.codes.validFor(format.digits(countdown(leftMs))) : words.codes.ranOut}
          {' · '}
          {words.codes.sends(code.sends, number(code.sends))}
          {code.attempts > 0 && ` · ${words.codes.attempts(code.attempts, number(code.attempts))}`}
        </span>
      </div>
      <Copy text={code.otp} describedAs={words.codes.copyCode(code.otp)} />
    </li>
  );
}
