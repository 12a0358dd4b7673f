import type { AppTrashPage } from '#shared/app/app-protocol.ts';
import { type CursorCodec, openPage } from '../http/cursor.ts';
import { type Page, takePage } from '../http/page.ts';
import type { Session } from '../session.ts';
import { type ListedProjectRow, type ListedTaskRow, listedProjects, listedTasks } from './listed-rows.ts';

const pageSize = { project: 200, task: 50 };

type Trashed = { id: string; trashedAt: string };
/** `trashed_at` and id of the last row that was read. */
type Key = readonly string[];

/** After all rows, of tasks that are complete while projects are not. */
const endKey: Key = ['-infinity', '00000000-0000-0000-0000-000000000000'];

/**
 * Newest first. Tasks that went to the Trash with their project come back with it: they are counted there.
 * The first page has all projects of most accounts. Throws validation_error on `cursor`.
 */
export async function readTrash(
  session: Session,
  cursors: CursorCodec,
  cursor: string | undefined,
): Promise<AppTrashPage> {
  const { after = [], seal } = openPage(cursors, session, ['app-trash'], cursor);
  const [taskKey, projectKey] = [after.slice(0, 2), after.slice(2)];
  const hasProjects = cursor === undefined || projectKey.length > 0;
  const [tasks, projects] = await Promise.all([
    readRows<ListedTaskRow & Trashed>(
      session,
      'task',
      taskKey,
      listedTasks.columns,
      'not is_trashed_with_project',
    ),
    hasProjects
      ? readRows<ListedProjectRow & Trashed & { taskCount: number }>(
          session,
          'project',
          projectKey,
          projectColumns,
        )
      : { items: [], nextCursor: null },
  ]);
  const isLast = tasks.nextCursor === null && projects.nextCursor === null;
  return {
    projects: projects.items.map((project) => ({
      ...listedProjects.present(project),
      trashedAt: project.trashedAt,
      taskCount: project.taskCount,
    })),
    tasks: tasks.items.map((task) => ({ ...listedTasks.present(task), trashedAt: task.trashedAt })),
    nextCursor: isLast ? null : seal([...(tasks.nextCursor ?? endKey), ...(projects.nextCursor ?? [])]),
  };
}

const projectColumns = `${listedProjects.columns}, (select count(*) from tasks.task
    where task.account_id = $1 and task.project_id = project.id
      and task.is_trashed_with_project) as "taskCount"`;

/** One page after `key`. */
async function readRows<Row extends Trashed>(
  { db, account }: Session,
  table: 'task' | 'project',
  key: Key,
  columns: string,
  condition = 'true',
): Promise<Page<Row, Key>> {
  const size = pageSize[table];
  const beyond = key.length === 0 ? 'true' : '(trashed_at, id) < ($3::timestamptz, $4::uuid)';
  const { rows } = await db.query<Row>({
    text: `select ${columns} from tasks.${table}
      where account_id = $1 and trashed_at is not null and ${condition} and ${beyond}
      order by trashed_at desc, id desc limit $2`,
    values: [account.id, size + 1, ...key],
  });
  return takePage(rows, size, ({ trashedAt, id }) => [trashedAt, id]);
}
