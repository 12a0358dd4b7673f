import { Piscina } from 'piscina';
import type { AppError } from '#shared/errors/app-error.ts';
import { invalidField, serviceUnavailable } from '#shared/errors/errors.ts';
import { productName } from '../html/text.ts';
import type { Strength, StrengthTask } from './password-strength-worker.ts';

/** Takes centuries at ten guesses in 15 minutes; eight random characters reach it. */
const fewestGuesses = 1e8;

const longestQueue = 64;

/** One thread, started with the first password that is chosen: its dictionaries take 60 MB and time. */
const pool = new Piscina<StrengthTask, Strength>({
  filename: new URL('./password-strength-worker.ts', import.meta.url).href,
  name: 'estimateStrength',
  minThreads: 0,
  maxThreads: 1,
  idleTimeout: 60_000,
});

/**
 * Throws validation_error on `field` for a password that is common (ASVS 5.0, 6.2.4) or else easily guessed,
 * also by someone who knows the account's address, and service_unavailable when too many wait.
 */
export async function requireStrongPassword(field: string, chosen: string, email: string): Promise<void> {
  // As it is hashed.
  const password = chosen.normalize('NFKC');
  const words = [email, ...email.split(separators), productName].map((word) => word.toLowerCase());
  const refuse = (help: string): AppError =>
    invalidField(field, `${field} is too easy to guess. ${help}`.trim());
  if (isMadeOf(words, password))
    throw refuse('It is too similar to your address or the name of this service.');
  const { guesses, help } = await estimate({ password, contextWords: words });
  if (guesses < fewestGuesses) throw refuse(help);
}

const separators = /[^\p{L}\p{N}]+/u;
const shortestWord = 3;
const fewestOtherCharacters = 6;

/**
 * Whether few letters or digits remain without the context words: the estimate would count separators as
 * random.
 */
function isMadeOf(words: readonly string[], password: string): boolean {
  const longestFirst = words
    .filter(({ length }) => length >= shortestWord)
    .toSorted((left, right) => right.length - left.length);
  const whole = password.toLowerCase();
  const rest = longestFirst.reduce((text, word) => text.replaceAll(word, ' '), whole);
  return rest !== whole && rest.split(separators).join('').length < fewestOtherCharacters;
}

async function estimate(task: StrengthTask): Promise<Strength> {
  if (pool.queueSize >= longestQueue)
    throw serviceUnavailable(new Error('too many passwords wait for an estimate'), 2);
  return pool.run(task);
}
