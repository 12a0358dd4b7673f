/** Where an authorization goes. `host` is what a person is shown: the scheme, with its colon, of an app's own one. */
export type RedirectTarget = { kind: 'https' | 'loopback' | 'private-scheme'; host: string };

const maximumLength = 2_048;
const loopbackHosts: readonly string[] = ['localhost', '127.0.0.1', '[::1]'];

/**
 * Schemes that no client's own app answers: they run or open what follows them in the browser, carry it in the clear,
 * or start a program of the system with it.
 */
const refusedSchemes: ReadonlySet<string> = new Set(
  [
    'javascript vbscript livescript data file blob about filesystem view-source jar resource res mk mhtml cid mid urn',
    'chrome edge devtools chrome-extension moz-extension safari-web-extension',
    'ws wss ftp ftps sftp ssh telnet gopher ldap ldaps smb nfs afp dav davs dns nntp news irc ircs rtsp rdp vnc',
    'feed webcal magnet mailto tel telprompt callto sip sips sms smsto mms xmpp facetime geo',
    'intent android-app market itms itms-apps itms-services',
    'search search-ms shell help x-apple-helpbasic x-man-page applescript',
    // `localhost:8080/callback` is an address without its scheme.
    'localhost',
  ].flatMap((names) => names.split(' ')),
);
/** Windows' own handlers. */
const windowsScheme = /^ms-/;

/**
 * What is wrong with a redirect URI; undefined when a client may register it (RFC 8252 §7, RFC 9700 §2.1).
 * Whatever `URL` would read differently from how it is spelled is refused, so that what is registered, compared, shown
 * and followed is one and the same.
 */
export function checkRedirectUri(uri: string): string | undefined {
  const misspelling = checkSpelling(uri);
  if (misspelling !== undefined) return misspelling;
  const [, scheme = '', authority] = /^([a-z][a-z0-9+.-]*):(?:\/\/([^/?]*))?/.exec(uri) ?? [];
  if (authority?.includes('@')) return 'must not contain user information';
  if (authority === '') return 'must not have an empty host';
  const url = URL.parse(uri);
  if (url?.protocol !== `${scheme}:`) return 'must be a valid absolute URI, its scheme in lower case';
  const check = scheme === 'https' || scheme === 'http' ? checkWebUri : checkPrivateScheme;
  return check(url, scheme, authority);
}

/** `URL` resolves them, in their encoded spellings too. */
const dotSegment = /\/(\.|%2e){1,2}([/?]|$)/i;

function checkSpelling(uri: string): string | undefined {
  if (uri.length > maximumLength) return `must have at most ${maximumLength} characters`;
  if (!/^[\x21-\x7e]+$/.test(uri)) return 'must consist of visible ASCII characters, without blanks';
  if (uri.includes('\\')) return 'must not contain a backslash';
  if (dotSegment.test(uri)) return 'must not contain the path segments . or ..';
  // Also an empty fragment, which `URL` drops (RFC 6749 §3.1.2).
  return uri.includes('#') ? 'must not contain a fragment' : undefined;
}

const misspeltHost = 'must spell its host as it is read: in lower case, and an address in its usual form';

function checkWebUri(url: URL, scheme: string, authority: string | undefined): string | undefined {
  const { host, hostname } = url;
  // `URL` leaves out the scheme's own port, and that alone.
  const withOwnPort = `${hostname}:${scheme === 'https' ? 443 : 80}`;
  if (authority !== host && authority !== withOwnPort) return misspeltHost;
  // `URL` lets more through, such as a semicolon, which would end a directive of the pages' CSP.
  if (!/^([a-z0-9._-]+|\[[0-9a-f:]+\])$/.test(hostname)) return 'must have a host name or an address';
  if (hostname.endsWith('.')) return 'must not have a host that ends with a dot';
  const isInTheClear = scheme === 'http' && !loopbackHosts.includes(hostname);
  return isInTheClear ? 'must use https, or http on localhost, 127.0.0.1 or [::1]' : undefined;
}

function checkPrivateScheme(url: URL, scheme: string, authority: string | undefined): string | undefined {
  if (refusedSchemes.has(scheme) || windowsScheme.test(scheme)) return `must not use the scheme ${scheme}`;
  if (authority !== undefined && authority !== url.host) return misspeltHost;
  return url.href === url.protocol ? 'must have something after its scheme' : undefined;
}

/** Whether a URI that passed the check leads to a program on the user's own device (RFC 8252 §7.3). */
export function isLoopback(uri: string): boolean {
  const { protocol, hostname } = new URL(uri);
  return (protocol === 'http:' || protocol === 'https:') && loopbackHosts.includes(hostname);
}

/** Takes a URI that passed the check. */
export function redirectTarget(uri: string): RedirectTarget {
  const { protocol, host } = new URL(uri);
  if (isLoopback(uri)) return { kind: 'loopback', host };
  return protocol === 'https:' ? { kind: 'https', host } : { kind: 'private-scheme', host: protocol };
}

/**
 * The source that a page's `form-action` must name for its form to end, by redirects, at a URI that passed the check:
 * browsers hold the whole chain against it. CSP has no form for the host of an IPv6 literal.
 */
export function formActionSource(uri: string): string {
  const { protocol, hostname, origin } = new URL(uri);
  const isWeb = protocol === 'http:' || protocol === 'https:';
  return isWeb && !hostname.startsWith('[') ? origin : protocol;
}
