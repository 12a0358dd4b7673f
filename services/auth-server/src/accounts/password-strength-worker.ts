import { readFileSync } from 'node:fs';
import { ZxcvbnFactory } from '@zxcvbn-ts/core';
import { adjacencyGraphs, dictionary as commonDictionary } from '@zxcvbn-ts/language-common';
import { dictionary as englishDictionary, translations } from '@zxcvbn-ts/language-en';

/** `contextWords`: guessed first, such as the account's address. */
export type StrengthTask = { password: string; contextWords: readonly string[] };

/** `help`: advice in sentences. */
export type Strength = { guesses: number; help: string };

/** Limits of the estimate, which keep it fast and suffice for the decision. */
const judgedLength = 32;
const letterSubstitutions = 8;

/** Common passwords that the library's lists lack, one a line; the file's first lines state its source. */
const commonPasswords = readFileSync(new URL('common-passwords.txt', import.meta.url), 'utf8')
  .split('\n')
  .filter((line) => line !== '' && !line.startsWith('#'));

const estimator = new ZxcvbnFactory({
  dictionary: { ...commonDictionary, ...englishDictionary, 'passwords-more': commonPasswords },
  graphs: adjacencyGraphs,
  l33tMaxSubstitutions: letterSubstitutions,
  maxLength: judgedLength,
  translations: {
    ...translations,
    warnings: {
      ...translations.warnings,
      userInputs: 'It is too similar to your address or the name of this service.',
    },
  },
});

/** The function of the pool. */
export function estimateStrength({ password, contextWords }: StrengthTask): Strength {
  const { guesses, feedback } = estimator.check(password.slice(0, judgedLength), [...contextWords]);
  const [suggestion] = feedback.suggestions;
  return { guesses, help: [feedback.warning, suggestion].filter(Boolean).join(' ') };
}
