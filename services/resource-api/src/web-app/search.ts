import type { AppSearchResponse } from '#shared/app/app-protocol.ts';
import type { Session } from '../session.ts';
import { wordPatterns } from '../text-search.ts';
import { type ListedProjectRow, type ListedTaskRow, listedProjects, listedTasks } from './listed-rows.ts';

const mostTasks = 50;
const mostProjects = 20;
const mostWords = 10;

/** Every word in the title or the notes; those with all of them in the title first, open ones before closed ones. */
export async function searchRows({ db, account }: Session, text: string): Promise<AppSearchResponse> {
  const patterns = wordPatterns(text).slice(0, mostWords);
  if (patterns.length === 0) return { tasks: [], projects: [] };
  const inTitle = 'title ~ all ($2::text[])';
  const values = [account.id, patterns];
  const matches = `not exists (select from unnest($2::text[]) pattern
    where title !~ pattern and coalesce(description, '') !~ pattern)`;
  const [tasks, projects] = await Promise.all([
    db.query<ListedTaskRow>({
      text: `select ${listedTasks.columns} from tasks.task
        where account_id = $1 and trashed_at is null and (${inTitle} or ${matches})
        order by ${inTitle} desc, status = 'open' desc, updated_at desc, id limit ${mostTasks}`,
      values,
    }),
    db.query<ListedProjectRow>({
      text: `select ${listedProjects.columns} from tasks.project
        where account_id = $1 and trashed_at is null and (${inTitle} or ${matches})
        order by ${inTitle} desc, status = 'active' desc, updated_at desc, id limit ${mostProjects}`,
      values,
    }),
  ]);
  return {
    tasks: tasks.rows.map(listedTasks.present),
    projects: projects.rows.map(listedProjects.present),
  };
}
