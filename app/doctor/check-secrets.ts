import { adviceOnLostSecrets, areSecretsLost, fileSecretStore, SecretsError } from '../machine/secrets.ts';
import { type Finding, problem } from './finding.ts';

/**
 * @param facts.hasRun the folder has a database, or had one: its agent has made secrets
 * @param facts.isInUse somebody has the folder now, mostly its agent
 */
export async function checkSecrets(
  dataDir: string,
  { hasRun, isInUse }: { readonly hasRun: boolean; readonly isInUse: boolean },
): Promise<readonly Finding[]> {
  try {
    const areLost = await areSecretsLost(fileSecretStore(dataDir));
    if (!areLost || !hasRun) return [];
    const advice = adviceOnLostSecrets(dataDir, { isInUse });
    return [problem('secrets', 'secrets.json is gone, and the agent of this folder has run', advice)];
  } catch (error) {
    if (!(error instanceof SecretsError)) throw error;
    return [
      problem(
        'secrets',
        error.message,
        'Until then the agent does not start, and one that runs is not reached. Run the doctor again afterwards: it has not looked at the settings',
      ),
    ];
  }
}
