import { referenceLayout } from './layout.js';

const darkMode = matchMedia('(prefers-color-scheme: dark)');

function followColorScheme() {
  document.documentElement.classList.toggle('dark-mode', darkMode.matches);
}

async function readDocument() {
  const response = await fetch('openapi.json');
  if (!response.ok) throw new Error(`openapi.json was answered with ${response.status}`);
  const openApi = await response.json();
  // Requests go to the host this page came from, under whatever name it was reached.
  openApi.servers = [{ url: location.origin }];
  offerPersonalTokensAlone(openApi);
  return openApi;
}

/** The page is no registered app: it could not finish the other flow. */
function offerPersonalTokensAlone({ components, paths }) {
  delete components.securitySchemes.oauth2;
  for (const operation of Object.values(paths).flatMap((item) => Object.values(item))) {
    if (!operation.security) continue;
    operation.security = operation.security.filter((requirement) => !('oauth2' in requirement));
  }
}

followColorScheme();
darkMode.addEventListener('change', followColorScheme);

try {
  globalThis.SwaggerUIBundle({
    spec: await readDocument(),
    domNode: document.getElementById('reference'),
    plugins: [referenceLayout],
    layout: 'ReferenceLayout',
    deepLinking: true,
    defaultModelsExpandDepth: 0,
    displayRequestDuration: true,
    // A token must not outlive the page.
    persistAuthorization: false,
    // Of Swagger UI's themes one that is legible on both backgrounds.
    syntaxHighlight: { theme: 'obsidian' },
    validatorUrl: null,
  });
} catch (error) {
  document.querySelector('.loading').textContent = `The reference could not be loaded: ${error.message}`;
}
