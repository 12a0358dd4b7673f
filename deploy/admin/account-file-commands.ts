import { open } from 'node:fs/promises';
import { addAbortSignal, type Readable } from 'node:stream';
import { AppError } from '#shared/errors/app-error.ts';
import { codeOf } from '#shared/errors/error-code.ts';
import { emailOption } from './account-commands.ts';
import type { Command } from './command.ts';
import { requireOutput } from './standard-output.ts';

/** Export and import of an account. */
export const accountFileCommands: readonly Command[] = [
  {
    name: 'account export',
    summary: 'Write everything in an account to standard output, as one JSON file',
    options: { email: emailOption },
    example: 'account export --email ada@example.com > ada.json',
    exampleAnswer: '{"format":"tasks-account","version":1, …}',
    async run(values, { databaseUrl }) {
      const { readProfile } = await import('#auth-server/admin/account-admin.ts');
      const { writeAccountFile } = await import('#resource-api/admin/account-file-admin.ts');
      const account = await readProfile(databaseUrl, values.get('email'));
      const writing = writeAccountFile(databaseUrl, account, process.stdout);
      await requireOutput('the file is not complete', writing);
    },
  },
  {
    name: 'account import',
    summary: 'Read such a file into an empty account: all of it, or nothing',
    options: {
      email: emailOption,
      file: { value: 'FILE', description: 'the file; - reads it from standard input', isRequired: true },
    },
    example: 'account import --email ada@example.com --file ada.json',
    exampleAnswer: '{"accountId":"5f0c…","areas":2,"projects":5,"sections":3,"tasks":812}',
    async run(values, { databaseUrl, environment }) {
      const { showAccount } = await import('#auth-server/admin/account-admin.ts');
      const { readAccountFileInto } = await import('#resource-api/admin/account-file-admin.ts');
      const { accountId } = await showAccount(databaseUrl, values.get('email'));
      const file = values.get('file');
      const signal = abortedWhenInterrupted();
      const chunks = addAbortSignal(signal, file === '-' ? process.stdin : await openFile(file));
      const options = { databaseUrl, environment, signal };
      const importing = readAccountFileInto(options, accountId, chunks, ({ phase, rows }) =>
        showProgress(`${phase}: ${rows}`),
      );
      return importing
        .finally(() => showProgress(''))
        .catch((error: unknown) => {
          if (signal.aborted) throw signal.reason;
          // Its message names the line; the faults that it holds too do not.
          throw error instanceof AppError ? new Error(error.message) : error;
        });
    },
  },
];

/** One line, on a terminal alone. Erases the rest of a longer one, whose last digits would stay. */
function showProgress(text: string): void {
  if (process.stderr.isTTY) process.stderr.write(`\r${text}\u001b[K`);
}

const fileFailures = new Map([
  ['ENOENT', 'there is no such file'],
  ['EACCES', 'you may not read it'],
]);

async function openFile(file: string): Promise<Readable> {
  const unreadable = (reason: string) => new Error(`«${file}» can't be read: ${reason}`);
  const handle = await open(file).catch((error: unknown) => {
    throw unreadable(fileFailures.get(codeOf(error)) ?? codeOf(error));
  });
  if (!(await handle.stat()).isDirectory()) return handle.createReadStream();
  await handle.close();
  throw unreadable('it is a directory');
}

/** The next signal ends the process at once. */
function abortedWhenInterrupted(): AbortSignal {
  const interruption = new AbortController();
  for (const name of ['SIGINT', 'SIGTERM'])
    process.once(name, () => interruption.abort(new Error(`interrupted by ${name}; nothing was imported`)));
  return interruption.signal;
}
