import { RehearsalRefused } from './rehearsal-refused.ts';

export type RehearsalCommand =
  | { rehearsal: 'restore'; files: readonly string[] }
  | { rehearsal: 'previous'; release: string | undefined; files: readonly string[] };

export const usage = `npm run rehearse -- restore [-- <files or other arguments of ava>]
  The tests over a database that was dumped and restored. Needs PostgreSQL's programs.

npm run rehearse -- previous [<git ref>] [-- <files or other arguments of ava>]
  The tests and the code of the release before, by default the last tag v…, over the present schema.
`;

/** Throws RehearsalRefused for words that are no command. */
export function readCommand(words: readonly string[]): RehearsalCommand {
  const end = words.indexOf('--');
  const [rehearsal, ...details] = end === -1 ? words : words.slice(0, end);
  const files = end === -1 ? [] : words.slice(end + 1);
  if (rehearsal === 'restore' && details.length === 0) return { rehearsal, files };
  if (rehearsal === 'previous' && details.length <= 1) return { rehearsal, release: details[0], files };
  throw new RehearsalRefused(`«${words.join(' ')}» is no rehearsal\n\n${usage}`);
}
