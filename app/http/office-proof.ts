import { createHmac, timingSafeEqual } from 'node:crypto';

/** What a proof is about: another port or another process cannot pass it on as its own. */
interface ProofFacts {
  /** That the agent listens on. */
  readonly port: number;
  /** Of the agent's process. */
  readonly pid: number;
  /** Made by whoever asks, never used twice. */
  readonly challenge: string;
}

export const challengeShape = /^[\w-]{32,64}$/;

/** Shows that an agent has the secret of its data folder, and tells nothing of it (docs/security.md "What it promises"). */
export function officeProof(secret: string, { port, pid, challenge }: ProofFacts): string {
  return createHmac('sha256', secret).update(`tillbridge agent\n${port}\n${pid}\n${challenge}`).digest('base64url');
}

export function isOfficeProof(secret: string, facts: ProofFacts, proof: string): boolean {
  const [known, given] = [Buffer.from(officeProof(secret, facts)), Buffer.from(proof)];
  return known.length === given.length && timingSafeEqual(known, given);
}
