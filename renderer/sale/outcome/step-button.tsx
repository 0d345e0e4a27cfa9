import { Icon, type IconName } from '../../components/icon.tsx';
import { useModel } from '../../model.ts';
import type { NextStep } from '../../operation/next-step.ts';
import { cardName } from '../customer/cards.tsx';

const stepIcons: Readonly<Record<NextStep['kind'], IconName>> = {
  other_card: 'wallet',
  amount: 'coins',
  receipt: 'receipt-text',
  full_price: 'banknote',
  later: 'hourglass',
};

interface StepButtonProps {
  readonly step: NextStep;
  readonly look: 'button-primary button-large' | 'button-outline button-large' | 'button-outline entry-step';
  readonly isBusy?: boolean;
  readonly onTake: () => void;
}

/** A button that takes the step that helps. */
export function StepButton({ step, look, isBusy = false, onTake }: StepButtonProps) {
  const { frame } = useModel();
  const words = frame.words.value;
  const said = words.nextSteps;
  return (
    <button type="button" class={`button ${look}`} data-step={step.kind} disabled={isBusy} onClick={onTake}>
      <Icon name={stepIcons[step.kind]} />
      <bdi>{step.kind === 'other_card' ? said.otherCard(cardName(step.card, words)) : said[step.kind]}</bdi>
    </button>
  );
}
