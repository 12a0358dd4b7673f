/** PostgreSQL, appendix A. */
export const insufficientPrivilege = '42501';

/** The code of an error: PostgreSQL's SQLSTATE, or the system's name; empty where it has none. */
export function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : '';
}
