const minimumSeconds = 30;
const maximumSeconds = 86_400;
/** Without a word of the host: enough for one authorization from its start to its tokens. */
const defaultSeconds = 300;

/** `freshSeconds`: used without asking again. `usableSeconds`: used while its host can't be reached. */
export type DocumentLifetime = { freshSeconds: number; usableSeconds: number };

/**
 * How long a document may be kept, by its Cache-Control (RFC 9111 §5.2.2), within bounds: a host must neither make
 * every request of a user fetch, nor keep a change from us for longer than a day. What may go stale is used for a day
 * when its host is down, whatever it says about revalidation: that is the default of many hosts, and the alternative
 * is to sign everybody out.
 */
export function documentLifetime(cacheControl = ''): DocumentLifetime {
  const directives = cacheControl.split(',').map((directive) => directive.trim().toLowerCase());
  if (directives.includes('no-store')) return { freshSeconds: minimumSeconds, usableSeconds: minimumSeconds };
  const maxAge = directives.map((directive) => /^max-age="?(\d+)"?$/.exec(directive)?.[1]).find(Boolean);
  const asked = directives.includes('no-cache') ? 0 : Number(maxAge ?? defaultSeconds);
  const freshSeconds = Math.min(Math.max(asked, minimumSeconds), maximumSeconds);
  return { freshSeconds, usableSeconds: maximumSeconds };
}
