/** Below `/app/api/v1`, for Settings → Data. */

/** Response of `POST /imports`. */
export type OpenedImport = { id: string; partBytes: number };

export type ImportCounts = { areas: number; projects: number; tasks: number };

export type ImportProgress = { phase: 'checking' | 'storing'; rows: number };

/** A line of the response to `POST /imports/{id}/run`; the last one is the outcome. */
export type ImportLine =
  | ImportProgress
  | { phase: 'done'; counts: ImportCounts }
  | { phase: 'refused'; problem: { message: string } };
