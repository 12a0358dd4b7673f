import { readFileSync } from 'node:fs';

/** Loaded with the first password that is chosen. */
let list: ReadonlySet<string> | undefined;

/** Whether it is one of those that guessing starts with, in whatever case (ASVS 5.0, 6.2.4). */
export function isCommonPassword(password: string): boolean {
  list ??= readList();
  return list.has(password.normalize('NFKC').toLowerCase());
}

/** The file has them in lower case, one a line; where they come from stands at its top. */
function readList(): ReadonlySet<string> {
  const lines = readFileSync(new URL('common-passwords.txt', import.meta.url), 'utf8').split('\n');
  return new Set(lines.filter((line) => line !== '' && !line.startsWith('#')));
}
