import type { EnvReader } from './read-env.ts';

/** Whatever is appended to a base URL must be a path of this host. A trailing slash is allowed. */
function originOnly(value: string): string | undefined {
  return /^https?:\/\/[^/?#@\\\s]+\/?$/i.test(value) && URL.canParse(value)
    ? undefined
    : 'must be scheme, host and port alone, such as https://tasks.example.com';
}

/**
 * BASE_URL in the one form in which an origin is written (URL Standard, §4.5): lower case, without the scheme's own
 * port. Issuers and audiences are compared byte by byte, also by clients that write them in this form.
 */
export function readBaseUrl(reader: EnvReader, rule: { fallback?: string } = {}): string {
  return URL.parse(reader.text('BASE_URL', { ...rule, check: originOnly }))?.origin ?? '';
}
