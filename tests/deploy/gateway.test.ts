import { readFileSync } from 'node:fs';
import path from 'node:path';
import test from 'ava';
import { errorCatalogue } from '#shared/errors/error-catalogue.ts';
import { OWNED_PATHS, ROOT_OWNER } from '#shared/http/path-ownership.ts';
import { bodyLimitBytes } from '#shared/http/request-input.ts';
import { projectFolder } from '../architecture/source-files.ts';
import { configurationFile } from './gateway/run-gateway.ts';

const text = readFileSync(configurationFile, 'utf8');
const lines = text.split('\n').map((line) => line.trim());

function settingOf(setting: string): string {
  const found = lines.filter((line) => line.startsWith(`${setting} `));
  if (found.length !== 1) throw new Error(`${setting} is set ${found.length} times`);
  return found[0]?.slice(setting.length + 1) ?? '';
}

const seconds = (setting: string) => Number(/^(\d+)s$/.exec(settingOf(setting))?.[1]);

test('the paths and their owners are those of the path table, the longest first', (t) => {
  const rules = lines.filter((line) => line.startsWith('use_backend '));
  const expected = OWNED_PATHS.toSorted((left, right) => right.path.length - left.path.length)
    .map(({ path: owned, owner }) => `use_backend ${owner} if { path ${owned} } || { path_beg ${owned}/ }`)
    .concat(`use_backend ${ROOT_OWNER} if { path / }`);
  const byLength = (left: string, right: string) => right.length - left.length || (left < right ? -1 : 1);
  t.deepEqual(rules.toSorted(byLength), expected.toSorted(byLength));
  const lengths = rules.map((rule) => /\{ path (\S+) \}/.exec(rule)?.[1]?.length ?? 0);
  t.deepEqual(
    lengths,
    lengths.toSorted((left, right) => right - left),
  );
  t.is(settingOf('default_backend'), 'nobody');
});

test('a body may be as long as the API reads it', (t) => {
  const limit = /content-length\) gt (\d+) \}/.exec(text)?.[1];
  t.is(Number(limit), bodyLimitBytes);
});

test('its own answers say what the services would say', (t) => {
  const answers = { 404: 'not_found', 413: 'body_too_large', 503: 'service_unavailable' } as const;
  for (const [status, code] of Object.entries(answers) as [string, keyof typeof errorCatalogue][]) {
    const file = path.join(path.dirname(configurationFile), `answers/${status}.json`);
    const { requestId, ...body } = JSON.parse(readFileSync(file, 'utf8'));
    const { type, message } = errorCatalogue[code];
    t.deepEqual(body, { errorType: type, errorCode: code, message });
    t.is(requestId, '%[var(txn.request_id)]');
  }
});

test('it refuses what is no request in the API’s error shape, under the nil UUID', (t) => {
  const files = lines.flatMap((line) => /^errorfile \d+ (\S+)$/.exec(line)?.[1] ?? []);
  t.deepEqual(
    [...new Set(files)].toSorted(),
    ['400', '408', '431', '500'].map((status) => `answers/${status}.http`),
  );
  for (const status of ['400', '408', '431']) {
    const file = path.join(path.dirname(configurationFile), `answers/${status}.http`);
    const [head = '', body = ''] = readFileSync(file, 'utf8').split('\n\n');
    t.true(head.startsWith(`HTTP/1.1 ${status} `));
    t.true(head.includes(`\nContent-Length: ${Buffer.byteLength(body)}\n`));
    t.like(JSON.parse(body), {
      errorCode: 'validation_error',
      requestId: '00000000-0000-0000-0000-000000000000',
    });
  }
});

test('it gives up later than the services do, and asks for a connection no longer than they take to accept', (t) => {
  const server = readFileSync(path.join(projectFolder, 'shared/http/run-server.ts'), 'utf8');
  const limitOf = (name: string) => {
    const [, digits = ''] = new RegExp(`${name}[:=\\s]+([\\d_]+)`).exec(server) ?? [];
    return Number(digits.replaceAll('_', '')) / 1_000;
  };
  t.is(seconds('timeout http-request'), limitOf('headersTimeout'));
  t.true(seconds('timeout server') > limitOf('requestTimeout'));
  t.true(seconds('timeout client') > limitOf('stalledMilliseconds'));
  t.is(seconds('timeout http-keep-alive'), limitOf('keepAliveTimeout'));
});

test('a request is sent again only where no connection came about', (t) => {
  t.is(settingOf('retry-on'), 'conn-failure');
});

test('it asks for readiness on the management port of the image, and sends requests to the other', (t) => {
  const dockerfile = readFileSync(path.join(projectFolder, 'deploy/Dockerfile'), 'utf8');
  const [, port, managementPort] = /ENV .*\bPORT=(\d+) MANAGEMENT_PORT=(\d+)/.exec(dockerfile) ?? [];
  t.true(settingOf('default-server').startsWith(`check port ${managementPort} `));
  const targets = [...text.matchAll(/server-template \S+ \d+ "\$\{\w+\}:(\d+)"/g)].map(
    ([, target]) => target,
  );
  t.deepEqual(targets, [port, port]);
});
