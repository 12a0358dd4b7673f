import type { Environment } from '#shared/config/read-env.ts';
import { ProgramFailedError, runProgram } from './run-program.ts';

export type OperatorCommand = {
  accountExists(email: string): Promise<boolean>;
  createAccount(account: { email: string; password: string; plan: string; timezone: string }): Promise<void>;
  /** @returns the token's secret, which is never shown again */
  createToken(token: { email: string; name: string; scopes: string }): Promise<string>;
  replaceSigningKeys(): Promise<void>;
};

/** The operator's command (`npm run admin`), called as a program. Throws ProgramFailedError with what it said. */
export function createOperatorCommand(
  entry: string,
  environment: Environment,
  signal: AbortSignal,
): OperatorCommand {
  const run = async (noun: string, verb: string, options: Record<string, string>): Promise<unknown> => {
    const parameters = Object.entries(options).map(([name, value]) => `--${name}=${value}`);
    const output = await runProgram({ entry, parameters: [noun, verb, ...parameters], environment, signal });
    return JSON.parse(output);
  };
  return {
    accountExists: async (email) => {
      try {
        await run('account', 'show', { email });
        return true;
      } catch (error) {
        if (error instanceof ProgramFailedError) return false;
        throw error;
      }
    },
    createAccount: async (account) => {
      await run('account', 'create', account);
    },
    createToken: async (token) => {
      const answer = await run('token', 'create', token);
      if (answer instanceof Object && 'secret' in answer) return String(answer.secret);
      throw new Error('the operator command did not say the secret of the new token');
    },
    replaceSigningKeys: async () => {
      await run('keys', 'replace', {});
    },
  };
}
