/** Pages of ours that signing in or out leads back to; nothing in them can be read as another host's address. */
const returnPaths = /^\/(settings(\/[\w-]+)*|oauth\/interaction\/[\w-]+)(\?[\w=&%.-]*)?$/;

/** The path as it was given, if it is one that may be returned to. */
export function readReturnPath(value: string | null | undefined): string | undefined {
  return value && returnPaths.test(value) ? value : undefined;
}
