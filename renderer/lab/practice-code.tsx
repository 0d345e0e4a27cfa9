import { useEffect, useState } from 'preact/hooks';
import { Icon } from '../components/icon.tsx';
import { useWords } from '../copy/use-words.ts';
import { useModel } from '../model.ts';

interface PracticeCodeProps {
  readonly enrollmentId: string;
  /** Changes with each code that is sent. */
  readonly expiresAtMs: number;
  readonly onUse: (code: string) => void;
}

/** Shows the code that the embedded sandbox sent, because nobody has that phone. One press enters it. */
export function PracticeCode({ enrollmentId, expiresAtMs, onUse }: PracticeCodeProps) {
  const { api } = useModel();
  const words = useWords('lab').codes;
  const [code, setCode] = useState<string | null>(null);
  useEffect(() => {
    let isGone = false;
    void api.call('lab.codes', {}).then((reply) => {
      if (isGone || !reply.ok) return;
      setCode(reply.value.data.find((other) => other.enrollment_id === enrollmentId)?.otp ?? null);
    });
    return () => {
      isGone = true;
    };
  }, [api, enrollmentId, expiresAtMs]);
  if (code === null) return null;
  return (
    <button
      type="button"
      class="button button-outline practice-code"
      title={words.practiceCode}
      aria-label={`${words.practiceCode}: ${code}. ${words.use}`}
      onClick={() => onUse(code)}
    >
      <Icon name="flask-conical" size={18} />
      <bdi dir="ltr">{code}</bdi>
    </button>
  );
}
