import { createReadStream } from 'node:fs';
import { addAbortSignal } from 'node:stream';
import { emailOption } from './account-commands.ts';
import type { Command } from './command.ts';

/** Export and import of an account. */
export const accountFileCommands: readonly Command[] = [
  {
    name: 'account export',
    summary: 'Write everything in an account to standard output, as one JSON file',
    options: { email: emailOption },
    example: 'account export --email ada@example.com > ada.json',
    exampleAnswer: '{"format":"tasks-account","version":1, …}',
    async run(values, { databaseUrl, standardOutput }) {
      const { readProfile } = await import('#auth-server/admin/account-admin.ts');
      const { writeAccountFile } = await import('#resource-api/admin/account-file-admin.ts');
      const account = await readProfile(databaseUrl, values.get('email'));
      let isClosed = false;
      standardOutput.once('error', () => {
        isClosed = true;
      });
      await writeAccountFile(databaseUrl, account, standardOutput).catch((error: unknown) => {
        throw isClosed ? new Error('standard output was closed; the file is not complete') : error;
      });
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
      const chunks = addAbortSignal(signal, file === '-' ? process.stdin : createReadStream(file));
      const options = { databaseUrl, environment, signal };
      const importing = readAccountFileInto(options, accountId, chunks, ({ phase, rows }) => {
        if (process.stderr.isTTY) process.stderr.write(`\r${phase}: ${rows}`);
      });
      return importing.catch((error: unknown) => {
        throw signal.aborted ? signal.reason : error;
      });
    },
  },
];

/** The next signal ends the process at once. */
function abortedWhenInterrupted(): AbortSignal {
  const interruption = new AbortController();
  for (const name of ['SIGINT', 'SIGTERM'])
    process.once(name, () => interruption.abort(new Error(`interrupted by ${name}; nothing was imported`)));
  return interruption.signal;
}
