import test from 'ava';
import { plainHeaders, requestBytes } from '#tests/api/http/raw-exchange.ts';
import { answerOf } from '#tests/api/matrix/problem-answer.ts';
import { makeIds, operations, send } from '#tests/api/matrix/request-fixtures.ts';
import { startOAuthWorld } from '#tests/oauth/oauth-flow.ts';
import { hostRequests } from './host-requests.ts';

const { stack, browser } = await startOAuthWorld(undefined);
const api = await stack.newClient({ plan: 'premium' });
const ids = await makeIds(api);
/** `length`: of the body; nought when there is none. */
type Answer = { what: string; status: number; headers: Headers; length: number };

/** What caches may keep; everything else is for its one reader. */
const keptByCaches = [
  /^GET \/api\/public\/v1\/(openapi\.json|docs(\/|\/assets\/.*)?)$/,
  /^GET \/app\/(manifest\.webmanifest)?$/,
  /^GET \/(assets\/.*|oauth\/jwks|\.well-known\/oauth-.*)$/,
];

async function everyAnswer(): Promise<Answer[]> {
  const answers: Answer[] = [];
  for (const [method, path, headers = {}, body] of hostRequests) {
    const answer = await fetch(stack.baseUrl + path, { method, headers, body, redirect: 'manual' });
    const { length } = await answer.text();
    answers.push({ what: `${method} ${path}`, status: answer.status, headers: answer.headers, length });
  }
  for (const operation of operations) {
    for (const client of [api, stack.anonymous]) {
      const answer = await send(client, operation, ids);
      const length = answer.body === undefined ? 0 : 1;
      answers.push({
        what: `${operation.method.toUpperCase()} /api/public/v1${operation.path}`,
        ...answer,
        length,
      });
    }
  }
  for (const path of ['/settings', '/settings/api', '/settings/activity']) {
    const page = await browser.get(path);
    answers.push({
      what: `GET ${path}, signed in`,
      status: page.status,
      headers: page.headers,
      length: page.markup.length,
    });
  }
  return answers;
}

const answers = await everyAnswer();
// Only now: once a hook is declared, ava does not wait for what this file prepares.
test.after.always(() => stack.close());

const isPreflight = ({ what }: Answer) => what.startsWith('OPTIONS');
const isHtml = ({ headers }: Answer) => headers.get('content-type')?.startsWith('text/html') ?? false;
const lacking = (isRight: (answer: Answer) => boolean, some = answers) =>
  some.filter((answer) => !isRight(answer)).map(({ what, status }) => `${status} ${what}`);

test('every answer with a body says what it is, and text in which characters', (t) => {
  const known =
    /^(text\/(html|css|javascript|plain); charset=utf-8|application\/(manifest\+)?json(; charset=utf-8)?|image\/(png|svg\+xml))$/;
  const withBody = answers.filter(({ length }) => length > 0);
  t.deepEqual(
    lacking(({ headers }) => known.test(headers.get('content-type') ?? ''), withBody),
    [],
  );
});

test('no answer may be taken for another type than it says', (t) => {
  const isMarked = ({ headers }: Answer) => headers.get('x-content-type-options') === 'nosniff';
  t.deepEqual(
    lacking((answer) => isPreflight(answer) || isMarked(answer)),
    [],
  );
});

test('no cache keeps an answer but those that are the same for everybody', (t) => {
  const isPublic = ({ what, status }: Answer) =>
    status < 400 && keptByCaches.some((pattern) => pattern.test(what));
  const isKept = ({ headers }: Answer) => headers.get('cache-control') !== 'no-store';
  t.deepEqual(
    lacking((answer) => isPreflight(answer) || !isKept(answer) || isPublic(answer)),
    [],
  );
});

test('on http no response has a header that requires https', (t) => {
  t.deepEqual(
    lacking(({ headers }) => headers.get('strict-transport-security') === null),
    [],
  );
});

test('no answer names the program behind it', (t) => {
  for (const name of ['server', 'x-powered-by', 'via', 'x-aspnet-version', 'x-runtime'])
    t.deepEqual(
      lacking(({ headers }) => headers.get(name) === null),
      [],
      name,
    );
});

test('every page keeps out scripts, frames and plug-ins of others, and tells none where it was', (t) => {
  const pages = answers.filter(isHtml);
  t.true(pages.length >= 15, String(pages.length));
  for (const directive of ["default-src 'none'", "base-uri 'none'", "frame-ancestors 'none'"]) {
    const policyOf = ({ headers }: Answer) => headers.get('content-security-policy')?.split('; ') ?? [];
    t.deepEqual(
      lacking((page) => policyOf(page).includes(directive), pages),
      [],
      directive,
    );
  }
  // Scalar writes style elements and attributes; the page can load no other host's.
  const styleOfReference = "style-src 'self' 'unsafe-inline'";
  const strictPartOf = ({ what, headers }: Answer) => {
    const policy = headers.get('content-security-policy') ?? '';
    return what.includes('/docs') ? policy.replace(styleOfReference, '') : policy;
  };
  t.deepEqual(
    lacking((page) => !/unsafe-|\*|http:/.test(strictPartOf(page)), pages),
    [],
  );
  t.deepEqual(
    lacking(({ headers }) => headers.get('referrer-policy') === 'no-referrer', pages),
    [],
  );
});

test('no page of a person may be read by another origin, and nothing by one with credentials', (t) => {
  const ofPeople = answers.filter((answer) => isHtml(answer) && !answer.what.includes('/docs'));
  t.deepEqual(
    lacking(({ headers }) => headers.get('access-control-allow-origin') === null, ofPeople),
    [],
  );
  t.deepEqual(
    lacking(({ headers }) => headers.get('access-control-allow-credentials') === null),
    [],
  );
  const origins = new Set(answers.map(({ headers }) => headers.get('access-control-allow-origin')));
  t.deepEqual([...origins].toSorted(), ['*', null]);
});

test('TRACE sends nothing back, wherever it is sent', async (t) => {
  const paths = new Set(hostRequests.map(([, path]) => path));
  for (const path of paths) {
    const canary = ['X-Canary', 'sent-and-never-seen-again'] as const;
    const answer = await stack.site.raw(requestBytes('TRACE', path, [...plainHeaders, canary]));
    t.true([404, 405].includes(answer.status), `${path} ${answer.status}`);
    t.false(answer.body.includes('sent-and-never-seen-again'), path);
  }
});

test('what is served is what was meant to be: no listing, no source, no map, no management', async (t) => {
  const paths = [
    [
      '.git/HEAD',
      '.env',
      'package.json',
      'node_modules/express/package.json',
      'services/auth-server/src/main.ts',
    ],
    [
      'assets',
      'assets/',
      'assets/../package.json',
      'api/public/v1/docs/assets/',
      'api/public/v1/docs/assets/../',
    ],
    ['livez', 'readyz', 'metrics', 'health', 'status', 'debug', 'server-status', 'actuator', 'admin'],
    ['api/public/v1/metrics', 'api/public/v1/livez', 'settings/../metrics', '.well-known/', 'robots.txt.map'],
  ].flat();
  for (const path of paths) {
    const answer = await stack.site.raw(requestBytes('GET', `/${path}`, plainHeaders));
    t.is(answer.status, 404, path);
  }
  t.is(answerOf(await api.get('/me')).status, 200);
});
