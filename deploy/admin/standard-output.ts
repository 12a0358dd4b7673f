import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { codeOf } from '#shared/errors/error-code.ts';

const failures = new Map([
  ['EPIPE', 'was closed'],
  ['ENOSPC', 'could not be written: no space is left'],
]);

/** Throws an Error with the reason and the consequence where standard output fails during `writing`. */
export async function requireOutput(consequence: string, writing: Promise<void>): Promise<void> {
  let failure: string | undefined;
  process.stdout.once('error', (error) => {
    failure = failures.get(codeOf(error)) ?? `could not be written (${codeOf(error)})`;
  });
  try {
    await writing;
    await writeRest();
  } catch (error) {
    if (failure === undefined) throw error;
  }
  if (failure !== undefined) throw new Error(`standard output ${failure}; ${consequence}`);
}

/** A pipeline ends before a slow reader has taken what was written, or has refused it. */
function writeRest(): Promise<void> {
  return new Promise((resolve) => process.stdout.write('', () => resolve()));
}

/** Unlike console.log, throws an Error for what could not be written: a secret is shown once. */
export function writeAnswer(answer: string): Promise<void> {
  const writing = pipeline(Readable.from([`${answer}\n`]), process.stdout, { end: false });
  return requireOutput('the command has run, but its answer is lost', writing);
}
