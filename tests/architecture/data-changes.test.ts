import test from 'ava';
import { unrecordedChanges } from './data-changes.ts';
import { readProjectFiles } from './source-files.ts';

/** Not `bench`, which fills databases with rows that no feed is asked for. */
const services = /^(shared|services|deploy)\/.*\.ts$/;

test('rows of the accounts change through the unit of work or the feed’s own statements alone', (t) => {
  t.deepEqual(unrecordedChanges(readProjectFiles(services)), []);
});

const path = 'services/resource-api/src/tasks/task-repository.ts';
const found: Record<string, string> = {
  'an update': 'await em.execute(`update tasks.task set rank = 1`)',
  'an update over two lines': 'await em.execute(`UPDATE\n  tasks.task set rank = 1`)',
  'an insertion into a table named later': 'await em.execute(`insert into ${table} values (1)`)',
  'a deletion': "await em.execute('delete from tasks.section where true')",
  'a native update of MikroORM': 'await em.nativeUpdate(TaskEntity, { id }, { rank: 1 })',
  'a query builder': 'await em.createQueryBuilder(TaskEntity).update({ rank: 1 })',
};

for (const [what, text] of Object.entries(found)) {
  test(`${what} outside the feed is found`, (t) => {
    t.is(unrecordedChanges([{ path, text: `\n${text}\n` }]).length, 1);
    t.deepEqual(unrecordedChanges([{ path: 'services/resource-api/src/sync/change-rows.ts', text }]), []);
  });
}

test('reading, and locking for it, is no change', (t) => {
  const text = 'await em.execute(`select * from tasks.task where id = ? for update`)';
  t.deepEqual(unrecordedChanges([{ path, text }]), []);
});
