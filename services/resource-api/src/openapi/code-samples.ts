import type { HostOperation, Operation } from '#shared/http/operation.ts';
import { apiRootOf } from '#shared/http/protected-resource-urls.ts';
import { pathParametersOf } from './parameters.ts';

type CodeSample = { lang: string; label: string; source: string };

type Form = Readonly<Record<string, string | readonly string[]>>;

/** A request in an example. `<NAME>` in a text stands for the environment variable NAME. */
type Call = {
  method: string;
  /** Parameters of the path in braces. */
  url: string;
  hasToken: boolean;
  /** At most one of the two is the body. */
  json?: unknown;
  form?: Form | undefined;
};

/** Programs that send the operation's example and print the response. They read tokens and ids from the environment. */
export function codeSamplesOf(baseUrl: string, operation: Operation): CodeSample[] {
  const { path, method, scope, requestExample } = operation;
  const url = pathParametersOf(path).reduce(
    (filled, { name, resource }) => filled.replace(`{${name}}`, `<${resource.toUpperCase()}_ID>`),
    apiRootOf(baseUrl) + path,
  );
  return samplesOf({ method, url, hasToken: scope !== null, json: requestExample });
}

/** As `codeSamplesOf`, of an operation outside the API root. */
export function hostCodeSamplesOf(
  baseUrl: string,
  { method, path, sample = {} }: HostOperation,
): CodeSample[] {
  const query = sample.query ? `?${new URLSearchParams(sample.query)}` : '';
  const url = baseUrl + (sample.path ?? path) + query.replaceAll(/%3C(\w+)%3E/g, '<$1>');
  return samplesOf({ method, url, hasToken: false, json: sample.json, form: sample.form });
}

function samplesOf(call: Call): CodeSample[] {
  return [
    { lang: 'shell', label: 'curl', source: curlSample(call) },
    { lang: 'javascript', label: 'JavaScript', source: javaScriptSample(call) },
    { lang: 'python', label: 'Python', source: pythonSample(call) },
  ];
}

/** Replaces each `<NAME>` by what `reference` writes in its place. */
function withVariables(text: string, reference: (name: string) => string): string {
  return text.replaceAll(/<([A-Z_]+)>/g, (_placeholder, name: string) => reference(name));
}

function fieldsOf(form: Form): [string, string][] {
  return Object.entries(form).flatMap(([name, values]) =>
    [values].flat().map((value): [string, string] => [name, value]),
  );
}

function curlSample({ method, url, hasToken, json, form }: Call): string {
  const inShell = (text: string) => withVariables(text, (name) => `$${name}`);
  const body = JSON.stringify(json, null, 2)?.replaceAll("'", "'\\''");
  const verb = method === 'get' ? '' : `-X ${method.toUpperCase()} `;
  return [
    `curl ${verb}"${inShell(url)}"`,
    ...(hasToken ? ['-H "Authorization: Bearer $API_TOKEN"'] : []),
    ...(body === undefined
      ? []
      : ['-H "Content-Type: application/json"', `-d '${withVariables(body, (name) => `'"$${name}"'`)}'`]),
    ...fieldsOf(form ?? {}).map(([name, value]) => `--data-urlencode "${name}=${inShell(value)}"`),
  ].join(' \\\n  ');
}

function javaScriptSample({ method, url, hasToken, json, form }: Call): string {
  const text = (value: string): string => {
    const filled = withVariables(value, (name) => `\${process.env.${name}}`);
    return filled === value ? `'${value}'` : `\`${filled}\``;
  };
  const literal = JSON.stringify(json, null, 2)?.replaceAll(/"<([A-Z_]+)>"/g, 'process.env.$1');
  const headers = [
    ...(hasToken ? ['    Authorization: `Bearer ${process.env.API_TOKEN}`,'] : []),
    ...(literal === undefined ? [] : ["    'Content-Type': 'application/json',"]),
  ];
  return [
    `const response = await fetch(${text(url)}, {`,
    `  method: '${method.toUpperCase()}',`,
    ...(headers.length === 0 ? [] : ['  headers: {', ...headers, '  },']),
    ...(literal === undefined ? [] : [`  body: JSON.stringify(${literal.replaceAll('\n', '\n  ')}),`]),
    ...(form === undefined
      ? []
      : [
          '  body: new URLSearchParams([',
          ...fieldsOf(form).map(([name, value]) => `    ['${name}', ${text(value)}],`),
          '  ]),',
        ]),
    '});',
    'console.log(response.status, await response.text());',
  ].join('\n');
}

function pythonSample({ method, url, hasToken, json, form }: Call): string {
  const text = (value: string): string => {
    const filled = withVariables(value, (name) => `{os.environ['${name}']}`);
    return filled === value ? `"${value}"` : `f"${filled}"`;
  };
  const fields = fieldsOf(form ?? {}).map(([name, value]) => `        ("${name}", ${text(value)}),`);
  return [
    'import os',
    'import requests',
    '',
    `response = requests.${method}(`,
    `    ${text(url)},`,
    ...(hasToken ? ['    headers={"Authorization": "Bearer " + os.environ["API_TOKEN"]},'] : []),
    ...(json === undefined ? [] : [`    json=${pythonLiteral(json)},`]),
    ...(fields.length === 0 ? [] : ['    data=[', ...fields, '    ],']),
    ')',
    'print(response.status_code, response.text)',
  ].join('\n');
}

/** JSON's strings and numbers are Python's. */
function pythonLiteral(value: unknown): string {
  if (value === null) return 'None';
  if (typeof value === 'boolean') return value ? 'True' : 'False';
  if (Array.isArray(value)) return `[${value.map(pythonLiteral).join(', ')}]`;
  if (typeof value !== 'object')
    return JSON.stringify(value).replaceAll(/"<([A-Z_]+)>"/g, 'os.environ["$1"]');
  const members = Object.entries(value).map(([name, member]) => `"${name}": ${pythonLiteral(member)}`);
  return `{${members.join(', ')}}`;
}
