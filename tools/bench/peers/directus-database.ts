import { databaseUrlOn } from '#tests/support/database-url.ts';
import { withConnection } from '../stage/stores.ts';

export const databaseName = 'directus';
/** Where Directus finds the tasks; the names are the columns' of tasks.task that a page shows. */
export const collection = 'task';
export const columns = [
  'id',
  'title',
  'description',
  'description_html',
  'status',
  'list',
  'project_id',
  'section_id',
  'due_date',
  'deadline_date',
  'reminder_time',
  'recurrence',
  'checklist',
  'completed_at',
  'cancelled_at',
  'created_at',
  'updated_at',
];

/**
 * A database of Directus' own in the same server, with the rows of `worldUrl` and an index for the page that is asked
 * for. Directus wants a primary key of one column. Nothing may be connected to the world meanwhile.
 */
export async function createDirectusDatabase(worldUrl: string): Promise<string> {
  await withConnection(databaseUrlOn(worldUrl, 'postgres'), ({ run }) =>
    run(`create database ${databaseName} template ${new URL(worldUrl).pathname.slice(1)}`),
  );
  const url = databaseUrlOn(worldUrl, databaseName);
  await withConnection(url, async ({ run }) => {
    const names = ['account_id', 'trashed_at', ...columns].join(', ');
    await run(`create table public.${collection} as select ${names} from tasks.task`);
    await run(`alter table public.${collection} alter account_id set not null, add primary key (id)`);
    await run(`create index on public.${collection} (account_id, created_at, id)`);
    await run('drop schema auth cascade');
    await run('drop schema tasks cascade');
    await run('vacuum analyze');
  });
  return url;
}
