import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import test from 'ava';
import { decide, openConsentPage, startOAuthWorld } from '#tests/oauth/oauth-flow.ts';

const readme = path.join(import.meta.dirname, '../../README.md');
const execute = promisify(execFile);

/** The commands below a heading, one a line. */
async function commandsBelow(heading: string): Promise<string[]> {
  const text = await readFile(readme, 'utf8');
  const [, section = ''] = text.split(`\n## ${heading}\n`);
  const [, block = ''] = /```bash\n([\s\S]*?)```/.exec(section) ?? [];
  return block.split('\n').filter((line) => line !== '');
}

/** Runs the lines as somebody who types them; `fillIn` gives what they write for «…», from what they saw last. */
async function walk(
  lines: readonly string[],
  given: Record<string, string>,
  fillIn: (name: string, seen: string) => Promise<string>,
): Promise<string[]> {
  const variables = { ...given };
  const outputs: string[] = [];
  const run = async (script: string) => {
    const env = { PATH: process.env.PATH, ...variables };
    return (await execute('bash', ['-euc', script], { env })).stdout;
  };
  for (const line of lines) {
    const [, name, value = ''] = /^(\w+)=(\S*)/.exec(line) ?? [];
    if (name === undefined) outputs.push(await run(line));
    else if (value === '…') variables[name] = await fillIn(name, outputs.at(-1) ?? '');
    else if (!Object.hasOwn(given, name)) variables[name] = await run(`${line}\nprintf %s "$${name}"`);
  }
  return outputs;
}

test('what the README shows an app do can be done by hand', async (t) => {
  const { stack, endpoints, browser } = await startOAuthWorld(t);
  const memberOf: Record<string, string> = {
    client: 'client_id',
    access: 'access_token',
    refresh: 'refresh_token',
  };
  const written: Record<string, string> = {};
  const outputs = await walk(
    await commandsBelow('Connect an app'),
    { base: stack.baseUrl },
    async (name, seen) => {
      if (name === 'code') {
        const target = await decide(browser, await openConsentPage(browser, seen.trim()));
        t.true(target.href.startsWith('http://127.0.0.1:9000/callback?'));
        return target.searchParams.get('code') ?? '';
      }
      written[name] = String(JSON.parse(seen)[memberOf[name] ?? '']);
      return written[name];
    },
  );
  const [registered = '', , tokens = '', tasks = '', refreshed = '', revoked] = outputs;
  t.is(outputs.length, 6);
  t.is(JSON.parse(registered).client_name, 'My app');
  t.is(JSON.parse(tokens).scope, 'read write');
  t.deepEqual(JSON.parse(tasks), { items: [], nextCursor: null, hasMore: false });
  t.not(JSON.parse(refreshed).refresh_token, JSON.parse(tokens).refresh_token);
  t.is(revoked, '');
  t.is(await endpoints.me(written.access ?? ''), 401);
});
