import type { Operation } from '#shared/http/operation.ts';
import { apiRootOf } from '#shared/http/protected-resource-urls.ts';
import { pathParametersOf } from './parameters.ts';

export type CodeSample = { lang: string; label: string; source: string };

/** Stands for the caller's token in an example of a body. */
const tokenPlaceholder = '<API_TOKEN>';

/** Programs that send the operation's example and print the response. They read the token and ids from the environment. */
export function codeSamplesOf(baseUrl: string, operation: Operation): CodeSample[] {
  const { path, method, scope, requestExample } = operation;
  const urlWith = (reference: (variable: string) => string): string =>
    pathParametersOf(path).reduce(
      (url, { name, resource }) => url.replace(`{${name}}`, reference(`${resource.toUpperCase()}_ID`)),
      apiRootOf(baseUrl) + path,
    );
  const call: Call = { method, urlWith, hasToken: scope !== null, body: requestExample };
  return [
    { lang: 'shell', label: 'curl', source: curlSample(call) },
    { lang: 'javascript', label: 'JavaScript', source: javaScriptSample(call) },
    { lang: 'python', label: 'Python', source: pythonSample(call) },
  ];
}

type Call = {
  method: string;
  /** `reference` writes an environment variable in the sample's language. */
  urlWith(reference: (variable: string) => string): string;
  hasToken: boolean;
  body: unknown;
};

function curlSample({ method, urlWith, hasToken, body }: Call): string {
  const json = JSON.stringify(body, null, 2)
    ?.replaceAll("'", "'\\''")
    .replaceAll(tokenPlaceholder, `'"$API_TOKEN"'`);
  const verb = method === 'get' ? '' : `-X ${method.toUpperCase()} `;
  return [
    `curl ${verb}"${urlWith((variable) => `$${variable}`)}"`,
    ...(hasToken ? ['-H "Authorization: Bearer $API_TOKEN"'] : []),
    ...(json === undefined ? [] : ['-H "Content-Type: application/json"', `-d '${json}'`]),
  ].join(' \\\n  ');
}

function javaScriptSample({ method, urlWith, hasToken, body }: Call): string {
  const json = JSON.stringify(body, null, 2)?.replaceAll(`"${tokenPlaceholder}"`, 'process.env.API_TOKEN');
  const headers = [
    ...(hasToken ? ['    Authorization: `Bearer ${process.env.API_TOKEN}`,'] : []),
    ...(json === undefined ? [] : ["    'Content-Type': 'application/json',"]),
  ];
  return [
    `const response = await fetch(\`${urlWith((variable) => `\${process.env.${variable}}`)}\`, {`,
    `  method: '${method.toUpperCase()}',`,
    '  headers: {',
    ...headers,
    '  },',
    ...(json === undefined ? [] : [`  body: JSON.stringify(${json.replaceAll('\n', '\n  ')}),`]),
    '});',
    'console.log(response.status, await response.text());',
  ].join('\n');
}

function pythonSample({ method, urlWith, hasToken, body }: Call): string {
  const token = 'os.environ["API_TOKEN"]';
  const json =
    body === undefined ? undefined : pythonLiteral(body).replaceAll(`"${tokenPlaceholder}"`, token);
  return [
    'import os',
    'import requests',
    '',
    `response = requests.${method}(`,
    `    f"${urlWith((variable) => `{os.environ['${variable}']}`)}",`,
    ...(hasToken ? [`    headers={"Authorization": "Bearer " + ${token}},`] : []),
    ...(json === undefined ? [] : [`    json=${json},`]),
    ')',
    'print(response.status_code, response.text)',
  ].join('\n');
}

/** JSON's strings and numbers are Python's. */
function pythonLiteral(value: unknown): string {
  if (value === null) return 'None';
  if (typeof value === 'boolean') return value ? 'True' : 'False';
  if (Array.isArray(value)) return `[${value.map(pythonLiteral).join(', ')}]`;
  if (typeof value !== 'object') return JSON.stringify(value);
  const members = Object.entries(value).map(([name, member]) => `"${name}": ${pythonLiteral(member)}`);
  return `{${members.join(', ')}}`;
}
