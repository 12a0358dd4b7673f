import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import test from 'ava';
import { startStack } from '#tests/support/stack.ts';

const readme = path.join(import.meta.dirname, '../../README.md');
const execute = promisify(execFile);

test('the commands that the README shows for the API work as they are written', async (t) => {
  const stack = await startStack(t);
  const { token } = await stack.newClient();
  const [, section = ''] = (await readFile(readme, 'utf8')).split('\n## Use the API\n');
  const [, block = ''] = /```bash\n([\s\S]*?)```/.exec(section) ?? [];
  const commands = block
    .replace('http://localhost:8080/api/public/v1', stack.apiRoot)
    .replace('tms_…', token.secret)
    .replaceAll('curl -sS', 'curl -sS --fail-with-body --write-out "\\n"');
  const { stdout } = await execute('bash', ['-euc', commands]);
  const [today, created, upcoming, ...further] = stdout.trim().split('\n');
  t.deepEqual(further, []);
  t.deepEqual(JSON.parse(today ?? '').items, []);
  t.is(JSON.parse(created ?? '').title, 'Order seeds');
  t.true(Array.isArray(JSON.parse(upcoming ?? '').items));
});
