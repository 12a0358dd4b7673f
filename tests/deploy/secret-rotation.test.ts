import { randomUUID } from 'node:crypto';
import test from 'ava';
import { connectSql } from '#tests/support/connect-sql.ts';
import { createFreshDatabase } from '#tests/support/fresh-database.ts';
import { readAnswers, startServices, useService } from './backup/service-in-use.ts';

test('a second login of the database takes over while the first still serves; then the first one ends', async (t) => {
  const database = await createFreshDatabase({ migrated: true });
  t.teardown(database.drop);
  const administrator = connectSql(database.url);
  t.teardown(administrator.close);
  const openLogin = async (): Promise<{ login: string; url: string }> => {
    const login = `service_${randomUUID().replaceAll('-', '')}`;
    await administrator.run(`create role ${login} login password 'secret'`);
    t.teardown(() => administrator.run(`drop role ${login}`));
    await administrator.run(`grant auth_server, resource_api to ${login}`);
    const url = new URL(database.url);
    url.username = login;
    url.password = 'secret';
    return { login, url: url.href };
  };
  const [first, second] = [await openLogin(), await openLogin()];
  const callers = await useService(await startServices(t, database.url));

  const before = await startServices(t, first.url);
  const answers = await readAnswers(before, callers);
  const after = await startServices(t, second.url);
  t.deepEqual(await readAnswers(after, callers), answers);
  await before.close();
  await administrator.run(`alter role ${first.login} nologin`);
  const refused = connectSql(first.url);
  t.teardown(refused.close);
  await t.throwsAsync(refused.run('select 1'), { message: /not permitted to log in/ });
  t.deepEqual(await readAnswers(after, callers), answers);
});
