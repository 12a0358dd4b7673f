import test, { type ExecutionContext } from 'ava';
import { createOAuthEndpoints } from '#tests/oauth/oauth-endpoints.ts';
import { connectApp, password } from '#tests/oauth/oauth-flow.ts';
import { createPageBrowser } from '#tests/support/page-browser.ts';
import { projectFolder } from '../architecture/source-files.ts';
import { buildImage } from './image/build-image.ts';
import { runProgram, startContainer, waitUntilHealthy } from './image/container.ts';
import { openDatabase, serviceVariables } from './image/deployment.ts';

/*
 * What a bundle could break: files beside modules, threads, what is loaded late, what depends on the names of
 * classes. Both services as the image starts them, through all of it.
 */
const image = buildImage(projectFolder);
test.after.always(() => image.remove());

type Running = { authServer: string; api: string; stop(): Promise<string> };

async function startPair(t: ExecutionContext): Promise<Running> {
  const databaseUrl = await openDatabase(t);
  const migration = await runProgram(t, image, ['migrate'], { DATABASE_URL: databaseUrl });
  if (migration.code !== 0) throw new Error(migration.errors);
  const [ofAuthServer, ofApi] = [await serviceVariables(databaseUrl), await serviceVariables(databaseUrl)];
  const authServer = `http://127.0.0.1:${ofAuthServer.PORT}`;
  const started = Object.entries({ 'auth-server': ofAuthServer, 'resource-api': ofApi }).map(
    ([service, variables]) => {
      const told = { ...variables, BASE_URL: authServer };
      const container = startContainer(t, image, [...image.entrypoint, service], told);
      return { container, healthy: waitUntilHealthy(t, image, told, container) };
    },
  );
  await Promise.all(started.map(({ healthy }) => healthy));
  return {
    authServer,
    api: `http://127.0.0.1:${ofApi.PORT}/api/public/v1`,
    async stop() {
      for (const { container } of started) container.child.kill('SIGTERM');
      const ends = await Promise.all(started.map(({ container }) => container.ended));
      return ends.map(({ code, output, errors }) => `${output}${errors}ended with ${code}\n`).join('');
    },
  };
}

test('an app connects, refreshes and keeps tasks; pages, notes and the reference are whole', async (t) => {
  const { authServer, api, stop } = await startPair(t);
  const browser = createPageBrowser(authServer);
  const form = await browser.get('/sign-up');
  const style = /href="([^"]+\.css[^"]*)"/.exec(form.markup)?.[1];
  t.is((await fetch(authServer + style)).headers.get('content-type'), 'text/css; charset=utf-8');
  const email = 'ada@example.com';
  const refused = await browser.submit(form, '/sign-up', { email, password: 'password123' });
  t.deepEqual([refused.status, refused.invalidFields], [400, ['password']]);
  await browser.signUp({ email, password });

  const endpoints = createOAuthEndpoints(authServer);
  const { clientId, tokens } = await connectApp({ endpoints, browser });
  const refreshed = await endpoints.token({
    grant_type: 'refresh_token',
    refresh_token: tokens.refresh_token,
    client_id: clientId,
  });
  t.is(refreshed.status, 200);

  const answer = await fetch(`${api}/tasks`, {
    method: 'POST',
    headers: { authorization: `Bearer ${refreshed.body.access_token}`, 'content-type': 'application/json' },
    body: JSON.stringify({
      title: 'Read',
      description: '**all** <b onclick="go()">of it</b><img src=x onerror=go()><table><td>cell',
    }),
  });
  t.is(answer.status, 201);
  const { descriptionHtml } = (await answer.json()) as { descriptionHtml: string };
  t.true(descriptionHtml.startsWith('<p><strong>all</strong> <b>of it</b>'), descriptionHtml);
  t.notRegex(descriptionHtml, /go\(/);

  const page = await (await fetch(`${api}/docs`)).text();
  const paths = [...page.matchAll(/(?:src|href)="([^"]+\.(?:js|css)[^"]*)"/g)].map(([, place = '']) => place);
  t.true(paths.length >= 4, page);
  for (const place of paths) t.is((await fetch(new URL(place, `${api}/docs`))).status, 200, place);

  const log = await stop();
  t.deepEqual(log.match(/ended with \d+/g), ['ended with 0', 'ended with 0']);
  t.deepEqual(
    log.split('\n').filter((line) => !/^(\{"level":[123]0,.*|ended with 0|)$/.test(line)),
    [],
  );
});
