import { placesOf, type SourceFile } from './source-files.ts';

/**
 * Statements and calls that change rows of the schema `tasks` past the unit of work, whose flush alone stamps a row
 * and enters it in the feed.
 */
const changesOfTasks = [
  /\b(insert\s+into|update|delete\s+from|truncate|merge\s+into)\s+(only\s+)?("?tasks"?\.|\$\{)/gi,
  /\.(nativeInsert|nativeInsertMany|nativeUpdate|nativeDelete|insertMany|upsert|upsertMany)\(/g,
  /\bem\.insert\(|\.createQueryBuilder\(|\.getKysely\(/g,
];

/** The mechanism itself, the making of the schema, the last use of tokens and the kept answers, which no mirror follows. */
const allowedPlaces =
  /^services\/resource-api\/src\/(sync\/|database\/migrations\/|auth\/token-use-repository\.ts$|idempotency\/kept-answer-repository\.ts$)/;

/** resource-api lives in the schema `tasks`; the other service has no rights there at all. */
export function unrecordedChanges(files: readonly SourceFile[]): string[] {
  return files
    .filter(({ path }) => !allowedPlaces.test(path))
    .flatMap((file) => {
      const isResourceApi = file.path.startsWith('services/resource-api/');
      const patterns = isResourceApi ? changesOfTasks : changesOfTasks.slice(0, 1);
      return patterns.flatMap((pattern) => placesOf(file, pattern));
    });
}
