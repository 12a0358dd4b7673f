/** Rules for URLs in the environment: what is wrong with a value, or undefined. */
export function urlOf(...protocols: string[]): (value: string) => string | undefined {
  return (value) => {
    if (!protocols.includes(URL.parse(value)?.protocol ?? ''))
      return `must be a URL starting with ${protocols.map((protocol) => `${protocol}//`).join(' or ')}`;
    return isDecodable(value) ? undefined : 'must have a «%» that stands for itself written as %25';
  };
}

/**
 * A database's address: none of its parameters would be read, and `?sslmode=require` without effect would mean a
 * connection in the clear that somebody believes encrypted.
 */
export function databaseUrl(value: string): string | undefined {
  const fault = urlOf('postgres:', 'postgresql:')(value);
  if (fault !== undefined) return fault;
  const { pathname, search, hash } = new URL(value);
  if (search !== '')
    return 'must have no parameters after «?»; for TLS set PGSSLMODE=verify-full and NODE_EXTRA_CA_CERTS';
  return /^\/[^/]+$/.test(pathname) && hash === ''
    ? undefined
    : 'must end with the name of a database, such as postgres://host/database';
}

/** The drivers decode what they take from a URL, and some wait for ever when they can't. */
function isDecodable(value: string): boolean {
  try {
    decodeURIComponent(value);
    return true;
  } catch {
    return false;
  }
}
