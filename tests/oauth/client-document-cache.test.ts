import type { ServerResponse } from 'node:http';
import test from 'ava';
import { ClientDocumentError } from '#auth-server/clients/fetch-client-document.ts';
import { createFetchQueue } from '#auth-server/clients/fetch-queue.ts';
import { waitFor } from '#tests/support/wait-for.ts';
import { openDocumentHost, reachHost, sendDocument } from './client-document-host.ts';

const seconds = (count: number): number => count * 1_000;
const hours = (count: number): number => seconds(count * 3_600);

/** A clock that starts at any moment and goes by hand. */
function manualTime() {
  let now = 5_000;
  return {
    now: () => now,
    pass(milliseconds: number) {
      now += milliseconds;
    },
  };
}

const lifetimes: [cacheControl: string | undefined, seconds: number][] = [
  [undefined, 300],
  ['public', 300],
  ['max-age=600', 600],
  ['public, Max-Age="600", must-revalidate', 600],
  ['max-age=0', 30],
  ['max-age=29', 30],
  ['max-age=31', 31],
  ['max-age=99999999999999999999', 86_400],
  ['max-age=x', 300],
  ['s-maxage=600', 300],
  ['no-cache', 30],
  ['no-store', 30],
  ['private, no-store, max-age=600', 30],
];

for (const [cacheControl, expected] of lifetimes) {
  test(`a document is kept ${expected} s (RFC 9111 §5.2.2): ${cacheControl ?? 'no header'}`, async (t) => {
    const host = await openDocumentHost(t);
    host.answerWith((req, res) =>
      sendDocument(req, res, cacheControl ? { 'Cache-Control': cacheControl } : {}),
    );
    const time = manualTime();
    const fetchDocument = reachHost({ now: time.now });
    const url = host.urlOf('/client.json');
    await fetchDocument(url);
    time.pass(seconds(expected) - 1);
    await fetchDocument(url);
    t.is(host.requests.length, 1);
    time.pass(2);
    await fetchDocument(url);
    t.is(host.requests.length, 2);
  });
}

test('everybody who asks at the same time waits for one request', async (t) => {
  const host = await openDocumentHost(t);
  const fetchDocument = reachHost();
  const documents = await Promise.all(
    Array.from({ length: 20 }, () => fetchDocument(host.urlOf('/client.json'))),
  );
  t.is(new Set(documents).size, 1);
  t.is(host.requests.length, 1);
});

test('a failure is remembered for 10 s', async (t) => {
  const host = await openDocumentHost(t);
  host.answerWith((_req, res) => res.writeHead(404).end());
  const time = manualTime();
  const fetchDocument = reachHost({ now: time.now });
  const url = host.urlOf('/client.json');
  await t.throwsAsync(fetchDocument(url), { instanceOf: ClientDocumentError });
  host.answerWith((req, res) => sendDocument(req, res));
  time.pass(seconds(10) - 1);
  await t.throwsAsync(fetchDocument(url), { instanceOf: ClientDocumentError });
  t.is(host.requests.length, 1);
  time.pass(2);
  t.like(await fetchDocument(url), { client_id: url.href });
});

const outages: Record<string, (res: ServerResponse) => void> = {
  'answers 503': (res) => res.writeHead(503).end(),
  'answers 429': (res) => res.writeHead(429).end(),
  'breaks its connections': (res) => res.destroy(),
};

for (const [what, fail] of Object.entries(outages)) {
  test(`while its host ${what} a document goes on being used, for a day after it was fetched`, async (t) => {
    const host = await openDocumentHost(t);
    const time = manualTime();
    const fetchDocument = reachHost({ now: time.now });
    const url = host.urlOf('/client.json');
    const document = await fetchDocument(url);
    host.answerWith((_req, res) => fail(res));

    time.pass(hours(1));
    t.is(await fetchDocument(url), document);
    t.is(host.requests.length, 2);
    time.pass(seconds(10) - 1);
    t.is(await fetchDocument(url), document);
    t.is(host.requests.length, 2, 'the host is left in peace for 10 s');
    time.pass(hours(23) - seconds(10));
    t.is(await fetchDocument(url), document);
    time.pass(seconds(10) + 1);
    await t.throwsAsync(fetchDocument(url), { instanceOf: ClientDocumentError });
  });
}

test('a removed document is no longer used, also when its host is down afterwards', async (t) => {
  const host = await openDocumentHost(t);
  const time = manualTime();
  const fetchDocument = reachHost({ now: time.now });
  const url = host.urlOf('/client.json');
  await fetchDocument(url);
  host.answerWith((_req, res) => res.writeHead(404).end());
  time.pass(hours(1));
  await t.throwsAsync(fetchDocument(url), { instanceOf: ClientDocumentError });
  await host.close();
  time.pass(seconds(10));
  await t.throwsAsync(fetchDocument(url), { instanceOf: ClientDocumentError });
});

test('of one host two fetches are under way at once, and the others follow', async (t) => {
  const host = await openDocumentHost(t);
  const held: (() => void)[] = [];
  host.answerWith((req, res) => held.push(() => sendDocument(req, res)));
  const fetchDocument = reachHost();
  const fetches = Array.from({ length: 8 }, (_, index) => fetchDocument(host.urlOf(`/client-${index}`)));
  for (let answered = 0; answered < 8; answered += 1) {
    const answer = await waitFor(() => held.shift(), { what: 'a request' });
    t.true(host.requests.length <= answered + 2);
    answer();
  }
  t.is((await Promise.all(fetches)).length, 8);
});

test('slow hosts of one caller, and hosts that failed lately, hold up nobody else', async (t) => {
  const host = await openDocumentHost(t);
  const fetchDocument = reachHost();
  const urlOf = (name: string) => new URL(host.urlOf('/client').href.replace('client.example', name));
  const slow = Array.from({ length: 40 }, (_, index) => `slow-${index}.example`);
  host.answerWith((req, res) => {
    if (!req.headers.host?.startsWith('slow')) sendDocument(req, res);
  });
  const byOne = Promise.allSettled(slow.map((name) => fetchDocument(urlOf(name), 'one caller')));
  t.like(await fetchDocument(urlOf('quick.example'), 'another'), { client_name: 'Example' });
  t.is(host.requests.length, 3);
  await byOne;

  const failed = slow.slice(0, 2);
  host.requests.length = 0;
  host.answerWith((_req, res) => res.writeHead(500).end());
  const ailing = Array.from({ length: 40 }, (_, index) => `ailing-${index}.example`);
  for (const name of ailing) await t.throwsAsync(fetchDocument(urlOf(name), name));
  host.requests.length = 0;
  host.answerWith((req, res) => {
    if (req.headers.host?.startsWith('quick')) sendDocument(req, res);
  });
  const again = Promise.allSettled(
    [...ailing, ...failed].map((name) => fetchDocument(new URL('/other', urlOf(name)), name)),
  );
  t.like(await fetchDocument(urlOf('quick-2.example'), 'another'), { client_name: 'Example' });
  t.true(host.requests.length <= 5);
  await again;
});

test('a fetch that waited for its caller’s turn counts for its host like any other', async (t) => {
  const queue = createFetchQueue();
  const running: string[] = [];
  const run = (caller: string, host: string) => {
    const { promise, resolve } = Promise.withResolvers<void>();
    const done = queue.run(host, caller, async () => {
      running.push(`${caller} ${host}`);
      await promise;
    });
    const finish = (): Promise<void> => {
      resolve();
      return done;
    };
    return { finish };
  };
  const [first, second] = [run('a', 'one.example'), run('a', 'two.example')];
  const third = run('a', 'busy.example');
  await run('b', 'busy.example').finish();
  const others = [run('c', 'busy.example'), run('d', 'busy.example')];
  await first.finish();
  await second.finish();
  t.deepEqual(running.slice(3), ['c busy.example', 'd busy.example']);
  for (const other of others) await other.finish();
  await third.finish();
  t.is(running.at(-1), 'a busy.example');
});
