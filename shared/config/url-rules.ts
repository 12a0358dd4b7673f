/** Rules for URLs in the environment: what is wrong with a value, or undefined. */
export function urlOf(...protocols: string[]): (value: string) => string | undefined {
  return (value) =>
    protocols.includes(URL.parse(value)?.protocol ?? '')
      ? undefined
      : `must be a URL starting with ${protocols.map((protocol) => `${protocol}//`).join(' or ')}`;
}

/**
 * A database's address: none of its parameters would be read, and `?sslmode=require` without effect would mean a
 * connection in the clear that somebody believes encrypted.
 */
export function databaseUrl(value: string): string | undefined {
  return (
    urlOf('postgres:', 'postgresql:')(value) ??
    (URL.parse(value)?.search === ''
      ? undefined
      : 'must have no parameters after «?»; for TLS set PGSSLMODE=verify-full and NODE_EXTRA_CA_CERTS')
  );
}

/** A base URL: whatever is appended to it must be a path of this host. A trailing slash is allowed. */
export function originOnly(value: string): string | undefined {
  const origin = /^https?:/i.test(value) ? URL.parse(value)?.origin : undefined;
  return origin === value.replace(/\/$/, '')
    ? undefined
    : 'must be scheme, host and port alone, such as https://tasks.example.com';
}
