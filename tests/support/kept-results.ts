import { existsSync, mkdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { writeFileAtomically } from '#local/write-file-atomically.ts';

/** Of each id the latest result, in a file of its own. */
export type KeptResults<Result> = {
  read(): Result[];
  /** Replaces what is known of the same ids and keeps the rest. */
  write(results: readonly Result[]): void;
};

export function keepResults<Result extends { id: string }>(file: string): KeptResults<Result> {
  function read(): Result[] {
    if (!existsSync(file)) return [];
    const content: { results: Result[] } = JSON.parse(readFileSync(file, 'utf8'));
    return content.results;
  }
  return {
    read,
    write(results) {
      const isReplaced = (id: string): boolean => results.some((result) => result.id === id);
      const kept = [...read().filter(({ id }) => !isReplaced(id)), ...results];
      mkdirSync(path.dirname(file), { recursive: true });
      const sorted = kept.toSorted((left, right) => (left.id < right.id ? -1 : 1));
      writeFileAtomically(file, `${JSON.stringify({ results: sorted }, null, 2)}\n`);
    },
  };
}
