import { Icon } from '../components/icon.tsx';
import { QrCode } from '../components/qr-code.tsx';
import { maskedContact, maskedPhone } from '../copy/format.ts';
import { useWords } from '../copy/use-words.ts';
import { useModel } from '../model.ts';
import type { EnrollDetails, EnrollStep } from './enroll-flow.ts';

interface KnownStepProps {
  readonly step: Extract<EnrollStep, { kind: 'known' }>;
  readonly details: EnrollDetails;
}

/** Shown when the phone or the e-mail belongs to a customer already. */
export function KnownStep({ step: { profile }, details }: KnownStepProps) {
  const { frame } = useModel();
  const words = frame.words.value;
  const ownWords = useWords('enroll');
  const contact = (profile === null ? null : maskedContact(profile)) ?? maskedPhone(details.phone);
  return (
    <div class="enroll-body enroll-middle" role="status">
      <span class="tile tile-large tone-info">
        <Icon name="user-check" size={28} />
      </span>
      <h3 class="blank-title">{ownWords.known}</h3>
      <p class="blank-code">
        <bdi>{profile?.name ?? words.customer.nameless}</bdi> <bdi dir="ltr">{contact}</bdi>
      </p>
      <p class="blank-text">{ownWords.knownNext}</p>
    </div>
  );
}

/** Shown when the card exists. The QR code brings it into the customer's wallet. */
export function DoneStep({ name, walletUrl }: { readonly name: string; readonly walletUrl: string }) {
  const words = useWords('enroll');
  return (
    <div class="enroll-body enroll-done" role="status">
      <QrCode text={walletUrl} label={words.wallet} />
      <div class="enroll-done-text stack gap-3">
        <span class="tile tile-large tone-success">
          <Icon name="circle-check" size={28} />
        </span>
        <h3 class="enroll-done-title">{name === '' ? words.doneNameless : words.done(name)}</h3>
        <p class="quiet">{words.doneNext}</p>
        <bdi dir="ltr" class="ref enroll-link">
          {walletUrl}
        </bdi>
      </div>
    </div>
  );
}
