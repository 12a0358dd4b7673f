import { MikroORM, raw } from '@mikro-orm/postgresql';
import test, { type ExecutionContext } from 'ava';
import { connectAsOwner } from '#tests/support/connect-as-role.ts';
import { testDatabaseServerUrl } from '#tests/support/test-environment.ts';

const url = testDatabaseServerUrl();

/** The package's own driver, which writes values into the text. */
function theirs(t: ExecutionContext): MikroORM {
  const orm = new MikroORM({ clientUrl: url, entities: [], discovery: { warnWhenNoEntities: false } });
  t.teardown(() => orm.close(true));
  return orm;
}

const statements: Readonly<Record<string, [sql: string, parameters: unknown[]]>> = {
  'texts with every sign that means something in SQL': [
    'select ?::text as a, ?::text as b',
    [`it's "$1" ? ?? \\? \\\\ E'x' -- ;`, ''],
  ],
  'a parameter at the very beginning': ['select * from (values (?::int, ?::text)) as v (a, b)', [1, 'ü😀']],
  'numbers, truth and nothing': [
    'select ?::int as a, ?::float8 as b, ?::boolean as c, ?::text as d',
    [-7, 1.5, false, null],
  ],
  'an instant': ['select ?::timestamptz = ?::timestamptz as a', [new Date(1.7e12), '2023-11-14T22:13:20Z']],
  'a large number': ['select ?::bigint as a', [9_007_199_254_740_993n]],
  'an object': ['select ?::jsonb as a', [{ name: `o'clock`, list: [1, null] }]],
  bytes: ['select ?::bytea as a', [Buffer.from([0, 39, 92, 255])]],
  'one of several': ['select n from generate_series(1, 9) as n where n in (?) and n <> ?', [[2, 3, 5], 3]],
  'a name': ['select ?? from (select 1 as "a b") as t', ['a b']],
  'a question mark that is an operator': [`select '{"k": 1}'::jsonb \\? ? as a`, ['k']],
  'a fragment with values of its own': ['select ? as a, ?::int as b', [raw('?::int + ?::int', [1, 2]), 4]],
};

for (const [name, [sql, parameters]] of Object.entries(statements)) {
  test(`values beside the text mean what they mean in it: ${name}`, async (t) => {
    const [bound, written] = [await connectAsOwner(t, url), theirs(t)];
    const rows = await bound.em.fork().execute(sql, [...parameters]);
    t.true(rows.length > 0);
    t.deepEqual(rows, await written.em.fork().execute(sql, [...parameters]));
  });
}

test('connections keep the plans of statements by a key, but of no more than a few hundred texts', async (t) => {
  const orm = await connectAsOwner(t, url);
  const em = orm.em.fork();
  const keptPlans = async (): Promise<number> => {
    const [row] = await em.execute<{ count: string }[]>(
      `select count(*) as count from pg_prepared_statements`,
    );
    return Number(row?.count);
  };
  const find = (column: number) => `select ${column} as n from (select 1 as "id") as t where t."id" = ?`;
  await em.execute(find(0), [1]);
  t.is(await keptPlans(), 1);
  await em.execute('select ?::int', [1]);
  t.is(await keptPlans(), 1);
  for (let column = 1; column < 500; column += 1) {
    const rows = await em.execute(find(column), [1]);
    t.deepEqual(rows, [{ n: column }]);
  }
  const kept = await keptPlans();
  t.true(kept > 100 && kept <= 300, `${kept} plans are kept`);
});
