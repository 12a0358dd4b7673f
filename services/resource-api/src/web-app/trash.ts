import type { AppTrashPage } from '#shared/app/app-protocol.ts';
import { type CursorCodec, openPage } from '../http/cursor.ts';
import { takePage } from '../http/page.ts';
import type { Session } from '../session.ts';
import { type ListedProjectRow, type ListedTaskRow, listedProjects, listedTasks } from './listed-rows.ts';

const pageSize = 50;
const mostProjects = 200;

type Trashed<Row> = Row & { trashedAt: string };

/**
 * Newest first. Tasks that went to the Trash with their project come back with it: they are counted there. Throws
 * validation_error on `cursor`.
 */
export async function readTrash(
  session: Session,
  cursors: CursorCodec,
  cursor: string | undefined,
): Promise<AppTrashPage> {
  const { db, account } = session;
  const { after, seal } = openPage(cursors, session, ['app-trash'], cursor);
  const beyond = after === undefined ? '' : 'and (trashed_at, id) < ($3::timestamptz, $4::uuid)';
  const { rows } = await db.query<Trashed<ListedTaskRow>>({
    text: `select ${listedTasks.columns} from tasks.task
      where account_id = $1 and trashed_at is not null and not is_trashed_with_project ${beyond}
      order by trashed_at desc, id desc limit $2`,
    values: [account.id, pageSize + 1, ...(after ?? [])],
  });
  const page = takePage(rows, pageSize, ({ trashedAt, id }) => seal([trashedAt, id]));
  return {
    projects: after === undefined ? await readTrashedProjects(session) : [],
    tasks: page.items.map((task) => ({ ...listedTasks.present(task), trashedAt: task.trashedAt })),
    nextCursor: page.nextCursor,
  };
}

async function readTrashedProjects({ db, account }: Session): Promise<AppTrashPage['projects']> {
  const { rows } = await db.query<Trashed<ListedProjectRow> & { taskCount: number }>({
    text: `select ${listedProjects.columns}, (select count(*) from tasks.task
          where task.account_id = $1 and task.project_id = project.id and task.is_trashed_with_project) as "taskCount"
      from tasks.project where account_id = $1 and trashed_at is not null
      order by trashed_at desc, id desc limit ${mostProjects}`,
    values: [account.id],
  });
  return rows.map((project) => ({
    ...listedProjects.present(project),
    trashedAt: project.trashedAt,
    taskCount: project.taskCount,
  }));
}
