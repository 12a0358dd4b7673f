import { sessionToken } from './session-token.js';

const apiRoot = new URL('.', location.href).pathname;

async function readDocument() {
  const response = await fetch('openapi.json');
  if (!response.ok) throw new Error(`openapi.json was answered with ${response.status}`);
  const openApi = await response.json();
  // The page is no registered app: it could not finish the other flow.
  delete openApi.components.securitySchemes.oauth2;
  for (const operation of operationsOf(openApi))
    operation.security = operation.security.filter((requirement) => !('oauth2' in requirement));
  // The form sends whatever has an example or a list of values; an optional parameter is the visitor's choice.
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
    // The document has samples of its own: they can be run as they are.
    hiddenClients: true,
    hideClientButton: true,
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
