/** A redirect target. `host` is shown to users; of a private-use scheme it is the scheme with its colon. */
type RedirectTarget = { kind: 'https' | 'loopback' | 'private-scheme'; host: string };

const maximumLength = 2_048;
const loopbackHosts: readonly string[] = ['localhost', '127.0.0.1', '[::1]'];

/**
 * Schemes of known apps. Any other must be a reversed domain name (RFC 8252 §7.1): a scheme without a dot may
 * be the system's or a browser's own, which runs or opens the rest.
 */
const knownSchemes: ReadonlySet<string> = new Set(
  [
    'cursor cursor-nightly vscode vscode-insiders vscodium code-oss windsurf windsurf-next kiro trae trae-cn',
    'antigravity positron void zed jetbrains idea warp warppreview',
    'claude claude-dev chatgpt codex goose lmstudio cherrystudio msty boltai jan raycast amp',
    'postman insomnia bruno obsidian notion logseq alfred shortcuts drafts n8n',
  ].flatMap((names) => names.split(' ')),
);
/** Schemes of browsers, and those that resemble http and https. */
const refusedForm =
  /^(ms-|microsoft-edge|x-safari-|google-?chrome|(moz-)?firefox|brave|opera-|yandexbrowser)|[+-]https?$/;

/** The characters of RFC 3986 §2. `URL` encodes some others in some places. */
export const uriCharacters = /^[\w.~:/?#[\]@!$&'()*+,;=%-]+$/;

/**
 * Returns the error of a redirect URI; undefined if a client may register it (RFC 8252 §7, RFC 9700 §2.1).
 * Refuses what `URL` would read differently from its spelling, so that the registered, compared, displayed
 * and followed URI are the same.
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

/** `URL` resolves dot segments, also encoded ones. */
const dotSegment = /\/(\.|%2e){1,2}([/?]|$)/i;

function checkSpelling(uri: string): string | undefined {
  if (uri.length > maximumLength) return `must have at most ${maximumLength} characters`;
  if (!uriCharacters.test(uri)) return 'must consist of the characters that a URI may have, without blanks';
  if (dotSegment.test(uri)) return 'must not contain the path segments . or ..';
  // Also an empty fragment, which `URL` drops (RFC 6749 §3.1.2).
  return uri.includes('#') ? 'must not contain a fragment' : undefined;
}

const misspeltHost = 'must spell its host as it is read: in lower case, and an address in its usual form';

function checkWebUri(url: URL, scheme: string, authority: string | undefined): string | undefined {
  const { host, hostname } = url;
  // `URL` omits only the scheme's default port.
  const withOwnPort = `${hostname}:${scheme === 'https' ? 443 : 80}`;
  if (authority !== host && authority !== withOwnPort) return misspeltHost;
  // `URL` accepts more, such as commas and quotation marks, which the consent page would show as a host.
  if (!/^([a-z0-9._-]+|\[[0-9a-f:]+\])$/.test(hostname)) return 'must have a host name or an address';
  if (hostname.endsWith('.')) return 'must not have a host that ends with a dot';
  const isInTheClear = scheme === 'http' && !loopbackHosts.includes(hostname);
  return isInTheClear ? 'must use https, or http on localhost, 127.0.0.1 or [::1]' : undefined;
}

function checkPrivateScheme(url: URL, scheme: string, authority: string | undefined): string | undefined {
  const isKnown = scheme.includes('.') || knownSchemes.has(scheme);
  if (!isKnown || refusedForm.test(scheme))
    return (
      `must not use the scheme ${scheme}: ` +
      'take https, or a domain name in reverse such as com.example.app'
    );
  if (holdsWebAddress(url.href.slice(url.protocol.length)))
    return 'must not hold an address of the web behind a scheme of its own';
  if (authority !== undefined && authority !== url.host) return misspeltHost;
  return url.href === url.protocol ? 'must have something after its scheme' : undefined;
}

/** Whether an app could read an http(s) URL in it after decoding; URL parsers ignore tabs and line breaks. */
function holdsWebAddress(text: string): boolean {
  const decoded = decodePercents(decodePercents(text));
  return /https?:/i.test(decoded.replace(/[\t\n\r]/g, ''));
}

/** Also reads nested encodings such as `%2568`: an app may decode any number of times. */
function decodePercents(text: string): string {
  return text.replace(/%(?:25)*([0-9a-f]{2})/gi, (_, hex: string) =>
    String.fromCharCode(Number.parseInt(hex, 16)),
  );
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
