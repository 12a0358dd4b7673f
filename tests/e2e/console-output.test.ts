import { once } from 'node:events';
import { PassThrough } from 'node:stream';
import test from 'ava';
import { createConsoleOutput } from '#local/console-output.ts';
import { createLogger } from '#shared/logging/logger.ts';

test('npm start shows why something failed, with what a service logs of it', async (t) => {
  const lines = new PassThrough();
  const logger = createLogger('auth-server', 'info', lines);
  logger.error({ err: new Error('connect ECONNREFUSED 127.0.0.1:25'), queue: 'mail' }, 'a job failed');
  const [line] = await once(lines, 'data');
  const shown: string[] = [];
  createConsoleOutput('info', (text) => shown.push(text)).serviceLine('auth-server', String(line));
  t.regex(
    shown.join('\n'),
    /auth-server +error a job failed {2}queue=mail {2}connect ECONNREFUSED 127\.0\.0\.1:25\n {4}at /,
  );
});
