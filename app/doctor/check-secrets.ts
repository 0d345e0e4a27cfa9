import { areSecretsLost, fileSecretStore, lostSecretsAdvice, SecretsError } from '../machine/secrets.ts';
import { type Finding, problem } from './finding.ts';

/** @param hasRun the folder has a database, or had one: its agent has made secrets */
export async function checkSecrets(
  dataDir: string,
  { hasRun }: { readonly hasRun: boolean },
): Promise<readonly Finding[]> {
  try {
    const areLost = await areSecretsLost(fileSecretStore(dataDir));
    if (!areLost || !hasRun) return [];
    return [problem('secrets', 'secrets.json is gone, and the agent of this folder has run', lostSecretsAdvice)];
  } catch (error) {
    if (!(error instanceof SecretsError)) throw error;
    return [
      problem(
        'secrets',
        error.message,
        'Until then the agent does not start. Run the doctor again afterwards: it has not looked at the settings',
      ),
    ];
  }
}
