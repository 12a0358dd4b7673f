/** A name for each statement text whose plan connections keep; the same in all connections of the process. */
const names = new Map<string, string>();
/** Each connection of the server holds tens of kilobytes for one. */
const mostNames = 300;

/** For texts of the code alone, of which there are as many as there are places that say them. */
export function keepPlan(text: string): void {
  if (!names.has(text)) names.set(text, `kept_${names.size + 1}`);
}

/** For texts made of what callers change, of which there may be any number: the first ones are kept. */
export function keepPlanWhileFew(text: string): void {
  if (names.size < mostNames) keepPlan(text);
}

/** Undefined where PostgreSQL is to plan the statement anew each time. */
export function nameOfKeptPlan(text: string): string | undefined {
  return names.get(text);
}
