import { areSecretsLost, fileSecretStore, lostSecretsAdvice, SecretsError } from '../machine/secrets.ts';
import { type Finding, problem } from './finding.ts';

/** Of a folder with a database. What is wrong with a file that is there, is told with the settings that need it. */
export async function checkSecrets(dataDir: string): Promise<readonly Finding[]> {
  try {
    if (!(await areSecretsLost(fileSecretStore(dataDir)))) return [];
    return [problem('secrets', 'secrets.json is gone, and the agent of this folder has run', lostSecretsAdvice)];
  } catch (error) {
    if (error instanceof SecretsError) return [];
    throw error;
  }
}
