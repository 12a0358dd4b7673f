import test from 'ava';
import { plainHeaders, requestBytes } from '#tests/api/http/raw-exchange.ts';
import { answerOf } from '#tests/api/matrix/problem-answer.ts';
import { makeIds, operations, send } from '#tests/api/matrix/request-fixtures.ts';
import type { Parameters } from '#tests/oauth/oauth-endpoints.ts';
import {
  authorizationRequest,
  consentAction,
  openConsentPage,
  registerClient,
  startOAuthWorld,
} from '#tests/oauth/oauth-flow.ts';
import { createPageBrowser } from '#tests/support/page-browser.ts';
import { elementsNamed, findElements } from '#tests/support/page-markup.ts';
import { type PageView, viewPage } from '#tests/support/page-view.ts';
import { words } from '#tests/support/words.ts';
import { hostRequests } from './host-requests.ts';

const world = await startOAuthWorld(undefined);
const { stack, browser, endpoints } = world;
const clientId = await registerClient(world);
const api = await stack.newClient({ plan: 'premium' });
const ids = await makeIds(api);
/** `length`: of the body; nought when there is none. `page`: one for people, shown by auth-server. */
type Answer = { what: string; status: number; headers: Headers; length: number; page?: PageView };

const isHtml = ({ headers }: { headers: Headers }) =>
  headers.get('content-type')?.startsWith('text/html') ?? false;
/** The reference and the web app are pages with policies of their own. */
const isForPeople = (path: string, headers: Headers) => isHtml({ headers }) && !/^\/(api|app)\//.test(path);

/** What caches may keep; everything else is for its one reader. */
const keptByCaches = [
  /^GET \/api\/public\/v1\/(openapi\.json|docs(\/|\/assets\/.*)?)$/,
  /^GET \/app\/(manifest\.webmanifest)?$/,
  /^GET \/(assets\/.*|oauth\/jwks|\.well-known\/oauth-.*)$/,
];

async function everyAnswer(): Promise<Answer[]> {
  const answers: Answer[] = [];
  const form = { 'content-type': 'application/x-www-form-urlencoded' };
  const revocation = ['POST', '/oauth/revoke', form, `token=x&client_id=${clientId}`] as const;
  for (const [method, path, headers = {}, body] of [...hostRequests, revocation]) {
    const answer = await fetch(stack.baseUrl + path, { method, headers, body, redirect: 'manual' });
    const { status } = answer;
    const markup = await answer.text();
    const page = isForPeople(path, answer.headers)
      ? viewPage(path, status, answer.headers, markup)
      : undefined;
    answers.push({ what: `${method} ${path}`, status, headers: answer.headers, length: markup.length, page });
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
  for (const page of await pagesOnTheWay()) {
    const { status, headers, markup } = page;
    answers.push({
      what: `${page.path.replace(/\?.*|[\w-]{43}/, '…')}, on the way`,
      status,
      headers,
      length: markup.length,
      page,
    });
  }
  return answers;
}

/** What is shown to somebody who is signed in, asked for consent, or refused a form. */
async function pagesOnTheWay(): Promise<PageView[]> {
  const request = (changes: Parameters = {}, id = clientId) =>
    endpoints.authorizeUrl(authorizationRequest(id, changes).parameters);
  const visitor = createPageBrowser(stack.baseUrl);
  const consent = await openConsentPage(browser, request());
  const action = consentAction(consent);
  return [
    await browser.get('/settings'),
    await browser.get('/settings/api'),
    await browser.get('/settings/activity'),
    await browser.get('/sign-out'),
    consent,
    await browser.get(action),
    await browser.submit(consent, action, { scope: [] }, { button: 'Allow' }),
    await browser.post(action, { decision: 'allow', scope: 'read' }),
    await browser.get(request({}, 'app_unknown')),
    await browser.get(request({ redirect_uri: 'https://evil.example' })),
    await visitor.get(request()),
    await visitor.submit(await visitor.get('/sign-in'), '/sign-in', { email: 'a@b.c', password: 'x' }),
    await visitor.submit(await visitor.get('/sign-up'), '/sign-up', { email: 'x', password: 'x' }),
  ];
}

const answers = await everyAnswer();
// Only now: once a hook is declared, ava does not wait for what this file prepares.
test.after.always(() => stack.close());

const isPreflight = ({ what }: Answer) => what.startsWith('OPTIONS');
const lacking = (isRight: (answer: Answer) => boolean, some = answers) =>
  some.filter((answer) => !isRight(answer)).map(({ what, status }) => `${status} ${what}`);

test('every answer with a body says what it is, and text in which characters', (t) => {
  const types = [
    'text/(html|css|javascript|plain); charset=utf-8',
    'application/(manifest\\+)?json(; charset=utf-8)?',
    'image/(png|svg\\+xml)',
  ];
  const known = new RegExp(`^(${types.join('|')})$`);
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
  const documents = answers.filter(isHtml);
  t.true(documents.length >= 15, String(documents.length));
  for (const directive of ["default-src 'none'", "base-uri 'none'", "frame-ancestors 'none'"]) {
    const policyOf = ({ headers }: Answer) => headers.get('content-security-policy')?.split('; ') ?? [];
    t.deepEqual(
      lacking((page) => policyOf(page).includes(directive), documents),
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
    lacking((page) => !/unsafe-|\*|http:/.test(strictPartOf(page)), documents),
    [],
  );
  t.deepEqual(
    lacking(({ headers }) => headers.get('referrer-policy') === 'no-referrer', documents),
    [],
  );
});

const pageHeaders = {
  'content-type': 'text/html; charset=utf-8',
  'cache-control': 'no-store',
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
};
const pagePolicy =
  "default-src 'none'; style-src 'self'; script-src 'self'; img-src 'self'; connect-src 'self'; " +
  "base-uri 'none'; frame-ancestors 'none'";

const pages = answers.flatMap(({ what, page }) => (page === undefined ? [] : [{ ...page, what }]));

test('every page refuses framing, sends no referrer and posts here only (RFC 9700 §4.2.4, §4.16)', (t) => {
  for (const { what, headers, forms } of pages) {
    const names = Object.keys(pageHeaders);
    t.deepEqual(Object.fromEntries(names.map((name) => [name, headers.get(name)])), pageHeaders, what);
    // A client may redirect to wherever it wants what follows the form of the consent page.
    const isConsent = forms.some(({ action }) => action.startsWith('/oauth/interaction/'));
    const policy = isConsent ? pagePolicy : `${pagePolicy}; form-action 'self'`;
    t.is(headers.get('content-security-policy'), policy, what);
  }
});

test('a page that opened one that shows an account cannot control it', (t) => {
  for (const { what, headers } of pages) {
    const showsAccount = /^(\w+ )?\/(settings|sign-out)|^GET \/$/.test(what);
    t.is(headers.get('cross-origin-opener-policy'), showsAccount ? 'same-origin' : null, what);
  }
});

test('no page violates its policy, loads from another host or has a form without its token', (t) => {
  for (const { what, root, title, forms } of pages) {
    t.deepEqual(
      elementsNamed(root, 'html').map(({ attributes }) => attributes.get('lang')),
      ['en'],
      what,
    );
    t.is(elementsNamed(root, 'h1').length, 1, what);
    t.regex(title, /^Tasks$| · Tasks$/, what);
    t.deepEqual(elementsNamed(root, 'style'), [], what);
    for (const script of elementsNamed(root, 'script')) {
      t.true(script.attributes.has('src'), what);
      t.deepEqual(script.children, [], what);
    }
    const attributes = findElements(root, () => true).flatMap((element) => [...element.attributes]);
    const inline = attributes.filter(([name]) => name === 'style' || name.startsWith('on'));
    t.deepEqual(inline, [], what);
    const addresses = attributes.filter(([name]) =>
      ['src', 'href', 'action', 'srcset', 'data', 'poster', 'formaction'].includes(name),
    );
    t.true(addresses.length > 0, what);
    const own = addresses.filter(
      ([, address]) => /^(\/(?![/\\])|#)/.test(address) || address.startsWith(`${stack.baseUrl}/`),
    );
    t.deepEqual(own, addresses, what);
    for (const form of forms) t.true(form.method === 'POST' && form.names.has('csrf_token'), form.action);
  }
});

test('what is refused is refused by a page with the status of its reason', (t) => {
  const refused = pages.filter(({ status }) => status >= 400).map(({ what, status }) => `${status} ${what}`);
  t.deepEqual(refused, [
    '404 GET /sign-in/nothing',
    '405 POST /',
    '403 POST /sign-in',
    '400 POST /sign-in',
    '415 POST /sign-in',
    '413 POST /sign-in',
    '405 DELETE /settings',
    '404 GET /settings/nothing',
    '400 GET /oauth/authorize',
    '405 POST /oauth/authorize',
    '400 GET /oauth/authorize?state=%ff',
    '400 GET /oauth/authorize/unknown',
    '400 GET /oauth/interaction/unknown',
    '405 OPTIONS /oauth/authorize',
    '405 OPTIONS /oauth/interaction/unknown',
    '405 OPTIONS /',
    '405 OPTIONS /sign-in',
    '405 OPTIONS /settings',
    '400 /oauth/interaction/…, on the way',
    '403 /oauth/interaction/…, on the way',
    '400 /oauth/authorize…, on the way',
    '400 /oauth/authorize…, on the way',
    '400 /sign-in, on the way',
    '400 /sign-up, on the way',
  ]);
});

function corsOf({ headers }: Answer): Record<string, string> {
  const names = [...headers.keys()].filter((name) => name.startsWith('access-control-'));
  return Object.fromEntries(names.map((name) => [name, headers.get(name) ?? '']));
}

test('any origin may read the OAuth endpoints, without credentials (RFC 9700 §2.6)', (t) => {
  const endpoint = /^(\w+) \/(oauth\/(?:jwks|register|token|revoke)|\.well-known\/oauth-.*)$/;
  const statuses = new Set<number>();
  for (const answer of answers) {
    const [, method, path = ''] = endpoint.exec(answer.what) ?? [];
    if (method === undefined) continue;
    statuses.add(answer.status);
    const granted = method === 'OPTIONS' && {
      'access-control-allow-methods': /register|token|revoke/.test(path) ? 'POST' : 'GET,HEAD',
      'access-control-allow-headers': 'content-type,mcp-protocol-version,authorization',
      'access-control-max-age': '86400',
    };
    t.deepEqual(
      corsOf(answer),
      {
        'access-control-allow-origin': '*',
        'access-control-expose-headers': 'Retry-After,WWW-Authenticate,X-Request-Id',
        ...granted,
      },
      answer.what,
    );
  }
  t.deepEqual([...statuses].toSorted(), [200, 201, 204, 400, 401, 404, 405, 413]);
});

test('no other origin reads a person’s pages, or anything with credentials (RFC 9700 §2.6)', (t) => {
  const ofPeople = /^(\w+ )?\/($|sign-|settings|app\/|oauth\/(authorize|interaction))/;
  for (const answer of answers) {
    if (ofPeople.test(answer.what) || answer.page) t.deepEqual(corsOf(answer), {}, answer.what);
  }
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
    words(`.git/HEAD .env package.json node_modules/express/package.json
        services/auth-server/src/main.ts`),
    words(`assets assets/ assets/../package.json api/public/v1/docs/assets/
        api/public/v1/docs/assets/../`),
    ['livez', 'readyz', 'metrics', 'health', 'status', 'debug', 'server-status', 'actuator', 'admin'],
    ['api/public/v1/metrics', 'api/public/v1/livez', 'settings/../metrics', '.well-known/', 'robots.txt.map'],
  ].flat();
  for (const path of paths) {
    const answer = await stack.site.raw(requestBytes('GET', `/${path}`, plainHeaders));
    t.is(answer.status, 404, path);
  }
  t.is(answerOf(await api.get('/me')).status, 200);
});
