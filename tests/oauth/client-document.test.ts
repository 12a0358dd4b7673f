import type { RequestListener, ServerResponse } from 'node:http';
import test from 'ava';
import { ClientDocumentError } from '#auth-server/clients/fetch-client-document.ts';
import { isPublicAddress } from '#auth-server/clients/public-address.ts';
import { words } from '#tests/support/words.ts';
import { openDocumentHost, reachHost, sendDocument } from './client-document-host.ts';

test('a document is fetched from its URL with a request that tells nothing of us', async (t) => {
  const host = await openDocumentHost(t);
  const url = host.urlOf('/oauth/client.json?version=2');
  const document = await reachHost()(url);
  t.deepEqual(document, { client_id: url.href, client_name: 'Example' });
  t.deepEqual(host.requests, [
    {
      url: '/oauth/client.json?version=2',
      headers: {
        accept: 'application/json',
        'accept-encoding': 'identity',
        host: url.host,
        connection: 'close',
      },
    },
  ]);
});

test('a name is resolved once, and the connection goes to what it resolved to', async (t) => {
  const host = await openDocumentHost(t);
  const resolved: string[] = [];
  const resolve = async (hostname: string) => {
    resolved.push(hostname);
    return ['127.0.0.1'];
  };
  await reachHost({ resolve })(host.urlOf('/client.json'));
  t.deepEqual([resolved, host.connections], [['client.example'], 1]);
});

const accepted: Record<string, RequestListener> = {
  'with a media type of its own': (req, res) =>
    sendDocument(req, res, { 'Content-Type': 'application/cimd.v1+json' }),
  'with parameters of the media type': (req, res) =>
    sendDocument(req, res, { 'Content-Type': 'Application/JSON ; charset=utf-8' }),
  'of exactly 5 KB': (req, res) => sendDocument(req, res, {}, filledTo(5_120, req.headers.host, req.url)),
  'that says it is not encoded': (req, res) => sendDocument(req, res, { 'Content-Encoding': 'identity' }),
};

for (const [what, answer] of Object.entries(accepted)) {
  test(`a document ${what} is used`, async (t) => {
    const host = await openDocumentHost(t);
    host.answerWith(answer);
    const url = host.urlOf('/client.json');
    t.like(await reachHost()(url), { client_id: url.href });
  });
}

const send = (status: number, type: string, body: string | Buffer): RequestListener => {
  return (_req, res) => res.writeHead(status, { 'Content-Type': type }).end(body);
};
const refused: Record<string, RequestListener> = {
  'of more than 5 KB': (req, res) => sendDocument(req, res, {}, filledTo(5_121, req.headers.host, req.url)),
  'of another client_id': (req, res) =>
    sendDocument(req, res, {}, { client_id: 'https://client.example/other' }),
  'whose client_id differs in its last character': (req, res) =>
    sendDocument(req, res, {}, { client_id: `https://${req.headers.host}${req.url}/` }),
  'without a client_id': (req, res) => sendDocument(req, res, {}, { client_id: undefined }),
  'that is an array': send(200, 'application/json', '[]'),
  'that is null': send(200, 'application/json', 'null'),
  'that is no JSON': send(200, 'application/json', '{'),
  'that is no UTF-8': (req, res) => {
    const document = `{"client_id":"https://${req.headers.host}${req.url}","client_name":"\xff"}`;
    send(200, 'application/json', Buffer.from(document, 'latin1'))(req, res);
  },
  'that is a page': (req, res) => sendDocument(req, res, { 'Content-Type': 'text/html' }),
  'that is called something like JSON': (req, res) =>
    sendDocument(req, res, { 'Content-Type': 'application/jsonp' }),
  'without a media type': (req, res) =>
    res.writeHead(200).end(`{"client_id":"https://${req.headers.host}${req.url}"}`),
  'that is compressed': (req, res) => sendDocument(req, res, { 'Content-Encoding': 'gzip' }),
  'with status 203': (req, res) => {
    res.statusCode = 203;
    res
      .setHeader('Content-Type', 'application/json')
      .end(`{"client_id":"https://${req.headers.host}${req.url}"}`);
  },
  'with status 404': send(404, 'application/json', '{}'),
  'with status 500': send(500, 'application/json', '{}'),
  'behind a connection that breaks': (req) => req.socket.destroy(),
  'that stops in the middle': (_req, res) => {
    res.writeHead(200, { 'Content-Type': 'application/json', 'Content-Length': '100' });
    res.write('{', () => res.destroy());
  },
  'with headers that are too large': (req, res) => sendDocument(req, res, { 'X-Long': 'x'.repeat(20_000) }),
};

for (const [what, answer] of Object.entries(refused)) {
  test(`a document ${what} is refused, with one message for all reasons`, async (t) => {
    const host = await openDocumentHost(t);
    host.answerWith(answer);
    const error = await t.throwsAsync(reachHost()(host.urlOf('/client.json')), {
      instanceOf: ClientDocumentError,
      message: 'the client metadata document could not be fetched',
    });
    t.true(error.cause instanceof Error);
  });
}

test('a document that never ends is read no further than it may be long', async (t) => {
  const host = await openDocumentHost(t);
  host.answerWith((_req, res) => repeat(res, ' '.repeat(1_024), 1));
  const error = await t.throwsAsync(reachHost()(host.urlOf('/client.json')));
  t.regex(String(error.cause), /more than 5120 bytes/);
});

test('redirects are not followed, not even within the host', async (t) => {
  const host = await openDocumentHost(t);
  host.answerWith((_req, res) => res.writeHead(302, { Location: '/elsewhere.json' }).end());
  await t.throwsAsync(reachHost()(host.urlOf('/client.json')), { instanceOf: ClientDocumentError });
  t.is(host.requests.length, 1);
});

test('a host that answers never, or one character at a time, does not hold a request for long', async (t) => {
  // A fetch without an end would last as long as its host likes.
  t.timeout(30_000);
  const silent = await openDocumentHost(t);
  silent.answerWith(() => undefined);
  const dripping = await openDocumentHost(t);
  dripping.answerWith((_req, res) => repeat(res, ' ', 100));
  const fetchDocument = reachHost();
  await Promise.all(
    [silent, dripping].map((host) =>
      t.throwsAsync(fetchDocument(host.urlOf('/client.json')), { instanceOf: ClientDocumentError }),
    ),
  );
});

/** Of each range its first and last address, and of some what is known to answer there. */
const notPublic = [
  ...words(`0.0.0.0 0.255.255.255 10.0.0.0 10.255.255.255 100.64.0.0 100.100.100.200 100.127.255.255
    127.0.0.1 127.255.255.255 169.254.0.0 169.254.169.254 169.254.255.255 172.16.0.0 172.31.255.255
    192.0.0.0 192.0.0.192 192.0.0.255 192.0.2.1 192.31.196.1 192.52.193.1 192.88.99.1 192.168.0.0
    192.168.255.255 192.175.48.1 198.18.0.0 198.19.255.255 198.51.100.1 203.0.113.1 224.0.0.1
    239.255.255.255 240.0.0.1 255.255.255.255 168.63.129.16 :: ::1 ::ffff:127.0.0.1 ::ffff:8.8.8.8
    ::ffff:7f00:1 ::7f00:1 64:ff9b::8.8.8.8 64:ff9b:1::1 100::1 2001::1 2001:0:4136:e378::1
    2001:10::1 2001:20::1 2001:1ff:ffff::1 2001:db8::1 2002:7f00:1::1 2620:4f:8000::1 3fff::1
    3fff:fff:ffff::1 4000::1 5f00::1 fc00::1 fdff::1 fd00:ec2::254 fe80::1 fe80::1%eth0 febf::1
    fec0::1 ff02::1 2606:4700::1%eth0 client.example 8.8.8 0x7f.1 2130706433`),
  '',
  '8.8.8.8 ',
];
const isPublic =
  words(`1.1.1.1 8.8.8.8 9.255.255.255 11.0.0.0 100.63.255.255 100.128.0.0 126.255.255.255 128.0.0.1
  169.253.255.255 169.255.0.0 172.15.255.255 172.32.0.0 192.0.1.0 192.167.255.255 192.169.0.0
  198.17.255.255 198.20.0.0 223.255.255.255 168.63.129.17 2000::1 2001:200::1 2001:4860:4860::8888
  2003::1 2606:4700::1111 2a00:1450::1 3ffe::1`);

test('addresses of the public internet are told from all others', (t) => {
  t.deepEqual(notPublic.filter(isPublicAddress), []);
  t.deepEqual(
    isPublic.filter((address) => !isPublicAddress(address)),
    [],
  );
});

test('a name that changes its address after it was checked leads nowhere else', async (t) => {
  const host = await openDocumentHost(t);
  // An address of documentation, which nobody has: that it is tried, and no other, is all there is to see.
  const answers = [['192.0.2.1'], ['127.0.0.1']];
  const resolve = async () => answers.shift() ?? [];
  const isAllowedAddress = (address: string) => address !== '127.0.0.1';
  await t.throwsAsync(reachHost({ resolve, isAllowedAddress })(host.urlOf('/client.json')), {
    instanceOf: ClientDocumentError,
  });
  t.deepEqual([host.connections, answers.length], [0, 1]);
});

/** Members that make a document of that many bytes. */
function filledTo(bytes: number, host: string | undefined, path: string | undefined): object {
  const rest = { client_id: `https://${host}${path}`, client_name: '' };
  return { client_name: 'x'.repeat(bytes - JSON.stringify(rest).length) };
}

/** Sends a text again and again until nobody listens. */
function repeat(res: ServerResponse, text: string, intervalMilliseconds: number): void {
  res.writeHead(200, { 'Content-Type': 'application/json' });
  const timer = setInterval(() => res.write(text), intervalMilliseconds);
  res.on('close', () => clearInterval(timer));
}
