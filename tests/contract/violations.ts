import { encodeBody, type FuzzRequest, reference } from './fuzz-request.ts';
import { foreignCursor } from './fuzz-world.ts';
import type { ResolveSchema } from './json-schema.ts';
import type { Answer } from './known-resources.ts';
import { isApiOperation, type Operation, takesJson } from './operations.ts';
import { reconciled } from './reconciled.ts';
import { malformedUtf8 } from './text-arbitrary.ts';
import { type ViolationSite, violationSites } from './violation-sites.ts';

/** One rule that a request breaks, and the answers that the contract has for that. */
export type Violation = {
  kind: string;
  breaks: readonly Breach[];
};

export type Breach = {
  apply(request: FuzzRequest): FuzzRequest;
  /** What is wrong with this answer to it; undefined when it is right. */
  judge(answer: Answer): string | undefined;
};

type Judge = Breach['judge'];

/** Every violation that can be committed with an operation, by kind. */
export function violationsOf(operation: Operation, resolve: ResolveSchema): Violation[] {
  const breaches = [
    ...tokenBreaches(operation),
    ...bodyBreaches(operation, resolve),
    ...encodingBreaches(operation),
    ...queryBreaches(operation, resolve),
    ...headerBreaches(operation, resolve),
    ...pathBreaches(operation),
    ...specialBreaches(operation),
  ];
  const byKind = Map.groupBy(breaches, ([kind]) => kind);
  return [...byKind].map(([kind, entries]) => ({ kind, breaks: entries.map(([, breach]) => breach) }));
}

type Named = [kind: string, breach: Breach];

function statusIs(...wanted: readonly number[]): Judge {
  return ({ status }) =>
    wanted.includes(status) ? undefined : `${status} where ${wanted.join(' or ')} belongs`;
}

/** 400, and the map of errors names the field. */
function refusesField(field: string): Judge {
  return (answer) => {
    const named = Object.keys((answer.body as { errors?: object } | undefined)?.errors ?? {});
    const isNamed = named.some(
      (name) =>
        field === '' || name === field || name.startsWith(`${field}.`) || name.startsWith(`${field}[`),
    );
    return (
      statusIs(400)(answer) ??
      (isNamed ? undefined : `the errors name ${named.join(', ') || 'nothing'}, not ${field}`)
    );
  };
}

function tokenBreaches({ scope, method }: Operation): Named[] {
  if (scope === undefined) return [];
  const kinds: [kind: string, judge: Judge, authorizations: readonly unknown[]][] = [
    ['no token', statusIs(401), ['']],
    [
      'malformed token',
      statusIs(401),
      ['Bearer', 'Bearer x', 'Basic eDp5', `Bearer tms_${'a'.repeat(43)}`, 'tms_x', 'Bearer a.b.c'],
    ],
    [
      'token that has ended',
      statusIs(401),
      [reference('authorization revoked'), reference('authorization expired')],
    ],
    [
      'missing scope',
      statusIs(403),
      [reference(`authorization for ${scope === 'read' ? 'writing' : 'reading'}`)],
    ],
  ];
  const suspended = reference('authorization of a suspended account');
  if (method !== 'GET') kinds.push(['suspended account', statusIs(423), [suspended]]);
  const inQuery = ['access_token', 'token', 'api_key'].map(
    (name): Named => [
      'token in the query',
      { apply: (request) => ({ ...request, query: [...request.query, [name, 'x']] }), judge: statusIs(401) },
    ],
  );
  return [
    ...kinds.flatMap(([kind, judge, values]) =>
      values.map(
        (value): Named => [kind, { apply: (request) => withHeader(request, 'Authorization', value), judge }],
      ),
    ),
    ...inQuery,
  ];
}

function withHeader(request: FuzzRequest, name: string, value: unknown): FuzzRequest {
  return { ...request, headers: { ...request.headers, [name]: value } };
}

/** Every breach of the body's schema. OAuth's errors name no field. */
function bodyBreaches(operation: Operation, resolve: ResolveSchema): Named[] {
  const { body, method } = operation;
  const isApi = isApiOperation(operation);
  if (body === undefined) {
    const takesNone = method !== 'GET' && isApi;
    return takesNone
      ? ['text', 'id'].map((name) => ['member where none belongs', bodyBreach({ [name]: 1 }, name)])
      : [];
  }
  if (!takesJson(operation)) return formBreaches(operation);
  return violationSites(body.schema, resolve, isApi).map(
    (site): Named => [
      site.kind,
      {
        apply: (request) => ({
          ...withHeader(request, 'Content-Type', 'application/json'),
          body: site.break(request.body ?? {}),
        }),
        judge: isApi ? refusesSite(site) : statusIs(400),
      },
    ],
  );
}

/** Text that can't be stored is found before anything else, and named by its top-level member. */
function refusesSite({ member }: ViolationSite): Judge {
  return refusesField(member);
}

function bodyBreach(body: unknown, field: string): Breach {
  return {
    apply: (request) => ({ ...withHeader(request, 'Content-Type', 'application/json'), body }),
    judge: refusesField(field),
  };
}

/** A form knows strings alone: what is missing, given twice or no text. */
function formBreaches({ body }: Operation): Named[] {
  const form = (request: FuzzRequest, change: Record<string, unknown>): FuzzRequest => ({
    ...request,
    body: { ...(request.body as object), ...change },
  });
  const refused = statusIs(400, 401);
  return [
    ...(body?.schema.required ?? []).map(
      (name): Named => [
        'required member missing',
        { apply: (request) => form(request, { [name]: null }), judge: refused },
      ],
    ),
    ['given twice', { apply: (request) => form(request, { client_id: ['x', 'y'] }), judge: refused }],
    ['unknown client', { apply: (request) => form(request, { client_id: 'app_unknown' }), judge: refused }],
    ['U+0000', { apply: (request) => form(request, { client_id: 'a\u0000b' }), judge: refused }],
  ];
}

/** What is wrong before the body is looked at as JSON or as a form. */
function encodingBreaches(operation: Operation): Named[] {
  const { body, method } = operation;
  if (body === undefined && (method === 'GET' || !isApiOperation(operation))) return [];
  const isApi = isApiOperation(operation);
  const isJson = body === undefined || takesJson(operation);
  const own = isJson ? 'application/json' : 'application/x-www-form-urlencoded';
  const raw = (kind: string, judge: Judge, spell: (request: FuzzRequest) => Uint8Array | string): Named => [
    kind,
    {
      judge,
      apply: (request) => ({
        ...withHeader(request, 'Content-Type', own),
        rawBody: Buffer.from(spell(request)),
      }),
    },
  ];
  const badBody = isApi ? refusesField('body') : statusIs(400);
  const bytesOf = (request: FuzzRequest) =>
    Buffer.from(encodeBody({ ...request, headers: { 'Content-Type': own } }) ?? '{}');
  const types = [
    'text/plain',
    'application/xml',
    `${own}; charset=utf-16`,
    'multipart/form-data; boundary=x',
    '',
  ];
  const wrongTypes = types.map(
    (type): Named => [
      type === '' ? 'no content type' : 'wrong content type',
      {
        judge: statusIs(isApi ? 415 : 400),
        apply: (request) => withHeader({ ...request, rawBody: Buffer.from('{"a":1}') }, 'Content-Type', type),
      },
    ],
  );
  const malformed = malformedUtf8.map((bytes) => {
    const fragment = isJson ? ['{"title":"', '"}'] : ['client_id=', ''];
    const parts = [Buffer.from(fragment[0] ?? ''), Buffer.from(bytes), Buffer.from(fragment[1] ?? '')];
    return raw('malformed UTF-8', badBody, () => Buffer.concat(parts));
  });
  const tooLarge = raw('too large', statusIs(413), () =>
    Buffer.alloc(2 * 1024 * 1024 + 1, isJson ? ' ' : 'a'),
  );
  if (!isJson) return [...wrongTypes, ...malformed, tooLarge];
  const notJson = ['{', '{"a":1}}', "{'a':1}", '{"a":NaN}', '{"a":1,}', '{"a":"\t"}', 'null x', '{"a":01}'];
  const deep = `{"title":${'['.repeat(5_000)}${']'.repeat(5_000)}}`;
  return [
    ...wrongTypes,
    ...malformed,
    tooLarge,
    ...notJson.map((text) => raw('malformed JSON', badBody, () => text)),
    raw('malformed JSON', badBody, (request) => Buffer.concat([bytesOf(request), Buffer.from('}')])),
    ...['[]', '"text"', '1', 'true', 'null', '[{}]'].map((text) => raw('no object', badBody, () => text)),
    ...(isApi
      ? [
          raw('too deep', badBody, () => deep),
          raw('too many values', badBody, () => `{"a":[${'1,'.repeat(3_000)}1]}`),
        ]
      : []),
    ...(body?.isRequired && isApi ? [raw('empty body', statusIs(400), () => '')] : []),
  ];
}

function queryBreaches(operation: Operation, resolve: ResolveSchema): Named[] {
  if (!isApiOperation(operation)) return [];
  const parameters = operation.parameters.filter(
    (parameter) => parameter.in === 'query' && parameter.name !== 'limit',
  );
  const set = (name: string, values: readonly unknown[]): Breach => ({
    apply: (request) => ({
      ...request,
      query: [
        ...request.query.filter(([other]) => other !== name),
        ...values.map((value) => [name, value] as const),
      ],
    }),
    judge: refusesField(name),
  });
  return parameters.flatMap(({ name, schema }): Named[] => {
    if (name === 'cursor') {
      const forged = ['x', 'AAAA', 'eyJhIjoxfQ', `${'A'.repeat(5_000)}`, '\u0000', reference(foreignCursor)];
      return forged.map((value) => ['no cursor of this list', set(name, [value])]);
    }
    const sites = violationSites(schema, resolve, false).filter(({ kind }) => !/type|null/.test(kind));
    const values = sites.map((site) => site.break(''));
    return [
      ...values.map((value): Named => ['bad query value', set(name, [value])]),
      ['query value given twice', set(name, [schema.enum?.[0] ?? 'x', schema.enum?.[0] ?? 'x'])],
    ];
  });
}

function headerBreaches({ parameters }: Operation, resolve: ResolveSchema): Named[] {
  return parameters
    .filter((parameter) => parameter.in === 'header')
    .flatMap(({ name, schema }) => {
      // What can't stand in a header, or counts as none there, is not sent.
      const values = violationSites(schema, resolve, false).map((site) => site.break(''));
      const sendable = values.filter(
        (value): value is string => typeof value === 'string' && /^[\x21-\x7e][\x20-\x7e]*$/.test(value),
      );
      const malformed = ['a b', 'é', 'x'.repeat(256), ...sendable.filter((value) => /\s|.{256}/.test(value))];
      return malformed.map(
        (value): Named => [
          'bad header',
          { apply: (request) => withHeader(request, name, value), judge: statusIs(400) },
        ],
      );
    });
}

/** Every path has one spelling, and an id that is none is the id of nothing. */
function pathBreaches(operation: Operation): Named[] {
  const spelt = (respell: (path: string) => string): Breach => ({
    apply: (request) => ({ ...request, respell, body: reconciled(request.body) }),
    // The reference page is the one path that tolerates a slash: it leads to the right one.
    judge: statusIs(404, ...(operation.id === 'getReferencePage' ? [308] : [])),
  });
  const spellings = [
    (path: string) => `${path}/`,
    (path: string) => `/${path}`,
    (path: string) => `${path}%00`,
  ];
  const upper = (path: string) => path.replace(/[a-z]/, (letter) => letter.toUpperCase());
  const ids = [
    'text',
    '1',
    '%00',
    '...',
    '3f2a7c1e5b0d4c399a530b8b1a6d1c11',
    `${'a'.repeat(1_000)}`,
    '💥',
    '*',
    'null',
  ];
  const badIds = operation.parameters
    .filter((parameter) => parameter.in === 'path')
    .flatMap(({ name }) =>
      ids.map(
        (id): Named => [
          'bad id in the path',
          {
            apply: (request) => ({
              ...request,
              path: { ...request.path, [name]: id },
              body: reconciled(request.body),
            }),
            judge: statusIs(404),
          },
        ],
      ),
    );
  return [
    ...[...spellings, upper].map((respell): Named => ['path spelt otherwise', spelt(respell)]),
    ...badIds,
  ];
}

const badRedirectUris = [
  ...[
    'javascript:alert(1)',
    'http://app.example.com/',
    'https://app.example.com/#x',
    'https://a@app.example.com/',
  ],
  ...[
    'data:text/html,x',
    '/callback',
    '',
    'https://',
    'https://app.example.com/a b',
    'https://APP.example.com/',
    'ftp://a.example/',
  ],
];

/** Rules that stand in the document's words and not in its schemas. */
function specialBreaches({ id }: Operation): Named[] {
  const register = (change: object): Breach => ({
    apply: (request) => ({
      ...withHeader(request, 'Content-Type', 'application/json'),
      body: { ...(request.body as object), ...change },
    }),
    judge: statusIs(400),
  });
  if (id === 'registerClient') {
    const many = Array.from({ length: 21 }, (_, index) => `https://app.example.com/${index}`);
    return [
      ...badRedirectUris.map((uri): Named => ['bad redirect URI', register({ redirect_uris: [uri] })]),
      ['too many redirect URIs', register({ redirect_uris: many })],
      ['response types without code', register({ response_types: ['token'] })],
    ];
  }
  if (id === 'authorize') return authorizeBreaches();
  return [];
}

/** What can't be trusted ends at an error page, everything else at the app, with the error. */
function authorizeBreaches(): Named[] {
  const withParameter = (name: string, value: unknown, judge: Judge): Breach => ({
    apply: (request) => ({
      ...request,
      query: [
        ...request.query.filter(([other]) => other !== name),
        ...(value === undefined ? [] : [[name, value] as const]),
      ],
    }),
    judge,
  });
  const backWith =
    (error: string): Judge =>
    (answer) => {
      const target = URL.parse(answer.headers.get('location') ?? '');
      const found = target?.searchParams.get('error');
      return statusIs(303)(answer) ?? (found === error ? undefined : `the error is ${found}, not ${error}`);
    };
  const untrusted = [
    ...['', 'app_unknown', 'a\u0000', 'https://no.example/'].map((value) =>
      withParameter('client_id', value, statusIs(400)),
    ),
    ...[...badRedirectUris, undefined].map((value) => withParameter('redirect_uri', value, statusIs(400))),
  ];
  const sentBack: [string, unknown, string][] = [
    ['response_type', 'token', 'unsupported_response_type'],
    ['response_mode', 'fragment', 'unsupported_response_mode'],
    ['code_challenge', undefined, 'invalid_request'],
    ['code_challenge', 'short', 'invalid_request'],
    ['code_challenge_method', 'plain', 'invalid_request'],
    ['code_challenge_method', undefined, 'invalid_request'],
    ['scope', 'admin', 'invalid_scope'],
    ['resource', 'https://elsewhere.example', 'invalid_target'],
  ];
  return [
    ...untrusted.map((breach): Named => ['untrusted target', breach]),
    ...sentBack.map(
      ([name, value, error]): Named => ['refused to the app', withParameter(name, value, backWith(error))],
    ),
  ];
}
