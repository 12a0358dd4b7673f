import test from 'ava';
import fc from 'fast-check';
import { checkRedirectUri, redirectTarget } from '#auth-server/clients/redirect-uri-rules.ts';
import { words } from '#tests/support/words.ts';

const allowed: [uri: string, kind: string, host: string][] = [
  ['https://claude.ai/api/mcp/auth_callback', 'https', 'claude.ai'],
  ['https://client.example', 'https', 'client.example'],
  ['https://client.example:8443/a?b=c&d', 'https', 'client.example:8443'],
  ['https://client.example:443/', 'https', 'client.example'],
  ['https://a_b.xn--mnchen-3ya.example/', 'https', 'a_b.xn--mnchen-3ya.example'],
  ['https://[2001:db8::1]:8443/', 'https', '[2001:db8::1]:8443'],
  ['https://localhost.example/', 'https', 'localhost.example'],
  ['https://localhost:3000/', 'loopback', 'localhost:3000'],
  ['http://localhost:6274/oauth/callback', 'loopback', 'localhost:6274'],
  ['http://127.0.0.1:80/', 'loopback', '127.0.0.1'],
  ['http://[::1]:8080/callback', 'loopback', '[::1]:8080'],
  ['cursor://anysphere.cursor-mcp/oauth/callback', 'private-scheme', 'cursor:'],
  ['vscode-insiders://publisher.extension/callback?windowId=1', 'private-scheme', 'vscode-insiders:'],
  ['com.example.httpclient:/oauth2redirect', 'private-scheme', 'com.example.httpclient:'],
  ['com.example.app:callback', 'private-scheme', 'com.example.app:'],
  ['windsurf://codeium.windsurf/callback', 'private-scheme', 'windsurf:'],
];

for (const [uri, kind, host] of allowed) {
  test(`${uri} may be registered`, (t) => {
    t.is(checkRedirectUri(uri), undefined);
    t.deepEqual(redirectTarget(uri), { kind, host } as object);
  });
}

/** What is wrong, and with what. */
const refused: Record<string, [because: RegExp, uris: string[]]> = {
  'a path that a browser would shorten': [
    /must not contain the path segments/,
    words(`https://client.example/a/../cb https://client.example/./cb https://client.example/a/%2e%2E/cb
      https://client.example/.. cursor://client/a/../cb?x`),
  ],
  'plain http to another machine': [
    /must use https/,
    words(`http://client.example/ http://10.0.0.1/ http://127.0.0.1.evil.example/
      http://localhost.evil.example/ http://127.0.0.2/ http://[::2]/ http://evil.example:80/ http://localhos/
      http://0.0.0.0/`),
  ],
  'a scheme that runs or opens what follows': [
    /must not use the scheme/,
    words(`javascript:alert(1) javascript://client.example/%0aalert(1) vbscript:msgbox(1) data:text/html,x
      file:/etc/passwd file://host/share blob:https://client.example/1 about:blank view-source:x filesystem:x
      ws://client.example/ wss://client.example/ ftp://client.example/ intent://scan/ mailto:a@client.example
      tel:112 sms:112 ms-msdt:/id search-ms:query=x chrome://settings chrome-extension://id/ itms-services://x
      smb://host/share localhost:8080/callback microsoft-edge:x x-safari-http://a googlechrome://a
      firefox-focus://a opera-http://a brave://a ohttps://a web+http://a duckduckgo://a touch-https://a
      operator:/cb my-own-app://callback com.browser+https://a`),
  ],
  'an address of the web behind a scheme of an app': [
    /must not hold an address of the web/,
    words(`claude:https://evil.example/ claude://open?url=HTTP://evil.example claude:x%68ttps: claude:ht%09tp:
      claude:/cb?http%3a claude:/cb?%2525252568ttp%253A claude:/cb?http%%33a claude:/cb?%%36%38ttp:`),
  ],
  'a fragment': [
    /must not contain a fragment/,
    words('https://client.example/#part https://client.example/# https://client.example# cursor://a#'),
  ],
  'user information': [
    /must not contain user information/,
    words(`https://user@client.example/ https://user:secret@client.example/ https://@client.example/
      https://:@client.example/ http://localhost@evil.example/ cursor://user@callback cursor://@callback`),
  ],
  'an empty host': [
    /must not have an empty host/,
    words('https:///callback https:// https://?a http:///localhost/ cursor:// cursor:///callback'),
  ],
  'blanks, controls and what is no ASCII': [
    /must consist of the characters/,
    [
      ...['', ' https://client.example/', 'https://client.example/a b', 'java\tscript:alert(1)'],
      ...[
        'https://client.example\r\n.evil.example/',
        'https://client.example/\0',
        'https://münchen.example/',
      ],
      ...['https://evil.example／.client.example/', '\u0001https://a/', 'https://client\u200b.example/'],
      ...['https://client.example/\u007f', 'https://client.example/\ud800'],
    ],
  ],
  'a backslash, and whatever else a URI has to encode (RFC 3986 §2)': [
    /must consist of the characters/,
    [
      ...words('https:\\\\client.example https://evil.example\\@client.example/ cursor:\\a'),
      ...[...'"<>^`{|}'].map((character) => `https://client.example/?a=${character}`),
    ],
  ],
  'another spelling of its scheme, or none': [
    /must be a valid absolute URI/,
    words(`HTTPS://client.example/ Http://localhost/ JavaScript:alert(1) com.Example.app:/callback
      client.example/callback /callback //client.example/callback ?code 1st:/callback :callback
      https://client.example:99999/ https://exa%mple/ https://[::1/ https://client.example:port/`),
  ],
  'another spelling of its host': [
    /must spell its host as it is read/,
    words(`https://Client.example/ https:client.example/ https:/client.example/ http:localhost/
      http:/localhost http://2130706433/ http://0x7f000001/ http://0177.0.0.1/ http://127.1/
      http://127.0.0.1:/ http://127.0.0.1:080/ http://[0:0:0:0:0:0:0:1]/ http://[::ffff:127.0.0.1]/
      http://LOCALHOST/ https://%6cocalhost/ https://client.example:0443/ http://%31%32%37.0.0.1/
      cursor://[0::1]/`),
  ],
  'a host that ends with a dot': [
    /must not have a host that ends with a dot/,
    words('https://client.example./ http://localhost./ https://client.example.:8443/'),
  ],
  'a host that no name server knows': [
    /must have a host name or an address/,
    words("https://client.example;script-src/ https://*/ https://*.example/ https://'self'/ https://a,b/"),
  ],
  'a scheme alone': [/must have something after its scheme/, words('cursor: com.example.app:')],
};

for (const [what, [because, uris]] of Object.entries(refused)) {
  test(`${what} is refused (RFC 9700 §2.1, §2.6)`, (t) => {
    for (const uri of uris) t.regex(checkRedirectUri(uri) ?? 'is accepted', because, JSON.stringify(uri));
  });
}

test('a redirect URI may have 2,048 characters, and not one more', (t) => {
  const uri = 'https://client.example/'.padEnd(2_048, 'x');
  t.is(checkRedirectUri(uri), undefined);
  t.regex(checkRedirectUri(`${uri}x`) ?? '', /2048/);
});

test('what passes leads where it says, read as a text or by the URL parser', (t) => {
  const pieces =
    words(`https http cursor javascript data : :// / // \\ @ # ? . .. %2e localhost 127.0.0.1 [::1]
    client.example evil.example :80 :8080 %00 ;`);
  const piece = fc.oneof(
    fc.constantFrom(...pieces, '\t', '\n', ' '),
    fc.string({ unit: 'grapheme', maxLength: 3 }),
  );
  const prefix = fc.constantFrom('', 'https://', 'http://', 'http://localhost', 'cursor:', 'https:');
  const uris = fc
    .tuple(prefix, fc.array(piece, { maxLength: 6 }))
    .map(([start, rest]) => start + rest.join(''));
  let accepted = 0;
  fc.assert(
    fc.property(uris, (uri) => {
      if (checkRedirectUri(uri) !== undefined) return;
      accepted += 1;
      const { protocol, host, username, password, hash, hostname } = new URL(uri);
      t.true(uri.startsWith(protocol));
      t.deepEqual([username, password, hash], ['', '', '']);
      if (host !== '') t.true(uri.startsWith(`${protocol}//${host}`), uri);
      if (protocol === 'http:') t.true(['localhost', '127.0.0.1', '[::1]'].includes(hostname), uri);
    }),
    { numRuns: 10_000 },
  );
  t.true(accepted > 500, `only ${accepted} of them were accepted`);
});
