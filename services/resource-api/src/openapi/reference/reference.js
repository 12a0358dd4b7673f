const apiRoot = new URL('.', location.href).pathname;

async function readDocument() {
  const response = await fetch('openapi.json');
  if (!response.ok) throw new Error(`openapi.json was answered with ${response.status}`);
  const openApi = await response.json();
  // The page is no registered app: it could not finish the other flow.
  delete openApi.components.securitySchemes.oauth2;
  for (const operation of operationsOf(openApi))
    operation.security = operation.security.filter((requirement) => !('oauth2' in requirement));
  // The form sends what has an example or a list of values; optional parameters are the visitor's choice.
  for (const parameter of parametersOf(openApi)) {
    if (parameter.required) continue;
    delete parameter.schema.examples;
    if (parameter.schema.enum) parameter.example = '';
  }
  return openApi;
}

function operationsOf({ paths }) {
  return Object.values(paths).flatMap((item) => Object.values(item));
}

function parametersOf(openApi) {
  const ofOperations = operationsOf(openApi).flatMap(({ parameters = [] }) => parameters);
  const inline = ofOperations.filter((parameter) => !('$ref' in parameter));
  return [...inline, ...Object.values(openApi.components.parameters)];
}

let currentToken;

/** A short-lived access token of the browser's session, with its account; undefined without a session. */
async function sessionToken() {
  if (currentToken === undefined || currentToken.staleAt < Date.now()) currentToken = await askForToken();
  return currentToken;
}

async function askForToken() {
  const response = await fetch('/app/session/token', {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: '{}',
  });
  if (!response.ok) return;
  const token = await response.json();
  // The session may end sooner; the request is then refused as any other.
  return { ...token, staleAt: Date.now() + token.expiresIn * 800 };
}

/** Requests to the API that name no token of their own carry the one of the browser's session. */
async function fetchAsVisitor(input, init) {
  const request = new Request(input, init);
  const { origin, pathname } = new URL(request.url);
  const isForApi =
    origin === location.origin && pathname.startsWith(apiRoot) && !pathname.endsWith('/auth/token');
  // The form sends its empty field as a scheme without a token.
  const [, token = ''] = (request.headers.get('Authorization') ?? '').split(' ');
  if (isForApi && token === '') {
    const session = await sessionToken();
    if (session) request.headers.set('Authorization', `Bearer ${session.accessToken}`);
  }
  return fetch(request);
}

async function greetVisitor() {
  const visitor = document.getElementById('visitor');
  const session = await sessionToken();
  if (session) {
    visitor.textContent = `Requests act on your account, ${session.account.email}.`;
    return;
  }
  const link = Object.assign(document.createElement('a'), {
    href: '/sign-in?return_to=/docs',
    textContent: 'Sign in',
  });
  visitor.replaceChildren(link, ' to try requests on your account, or paste a token under Authentication.');
}

async function showReference() {
  globalThis.Scalar.createApiReference('#reference', {
    content: await readDocument(),
    // Requests go to the host this page came from, under whatever name it was reached.
    servers: [{ url: location.origin }],
    customFetch: fetchAsVisitor,
    authentication: { preferredSecurityScheme: 'bearerToken' },
    // A token must not outlive the page.
    persistAuth: false,
    hideClientButton: true,
    // Samples that name a package without importing it do not run; the others print the response.
    hiddenClients: { python: ['aiohttp', 'httpx_async', 'httpx_sync', 'requests'] },
    documentDownloadType: 'none',
    // Nothing asks another host.
    withDefaultFonts: false,
    telemetry: false,
    agent: { disabled: true },
    mcp: { disabled: true },
    showDeveloperTools: 'never',
  });
}

try {
  await Promise.all([greetVisitor(), showReference()]);
} catch (error) {
  document.getElementById('visitor').textContent = `The reference could not be loaded: ${error.message}`;
}
