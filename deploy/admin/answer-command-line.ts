import type { Readable } from 'node:stream';
import { accountCommands } from './account-commands.ts';
import { accountFileCommands } from './account-file-commands.ts';
import { appCommands } from './app-commands.ts';
import { auditCommands } from './audit-commands.ts';
import { readCommandLine } from './command-line.ts';
import { dataCommands } from './data-commands.ts';
import { findInstance } from './find-instance.ts';
import { keyCommands } from './key-commands.ts';
import { notesCommands } from './notes-commands.ts';
import { sessionCommands } from './session-commands.ts';
import { tokenCommands } from './token-commands.ts';

export const commands = [
  ...accountCommands,
  ...accountFileCommands,
  ...tokenCommands,
  ...appCommands,
  ...sessionCommands,
  ...auditCommands,
  ...keyCommands,
  ...dataCommands,
  ...notesCommands,
];

/**
 * Returns the help, or the command's result as a line of JSON; undefined if the command wrote its output
 * itself. Throws errors for `describeFailure`.
 */
export async function answerCommandLine(
  words: readonly string[],
  environment: Readonly<Record<string, string | undefined>>,
  standardInput?: Readable,
): Promise<string | undefined> {
  const line = readCommandLine(commands, words);
  if ('help' in line) return line.help;
  const answer = await line.command.run(line.values, findInstance(environment, standardInput));
  return answer === undefined ? undefined : JSON.stringify(answer);
}
