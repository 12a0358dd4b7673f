import type { AppSearchResponse } from '#shared/app/app-protocol.ts';
import type { Session } from '../session.ts';
import { stepPath, taskHasWord, wordPatterns } from '../text-search.ts';
import { type ListedProjectRow, type ListedTaskRow, listedProjects, listedTasks } from './listed-rows.ts';

const mostTasks = 50;
const mostProjects = 20;
const mostWords = 10;

/**
 * Every word in the title, the notes or a step; those with all of them in the title first, open ones before
 * closed ones.
 */
export async function searchRows({ db, account }: Session, text: string): Promise<AppSearchResponse> {
  const patterns = wordPatterns(text).slice(0, mostWords);
  if (patterns.length === 0) return { tasks: [], projects: [], isMore: false };
  const inTitle = 'title ~ all ($2::text[])';
  const values = [account.id, patterns];
  const placeholders = patterns.map((_, index) => `($2::text[])[${index + 1}]`);
  const inTask = placeholders.map((pattern, index) => taskHasWord(pattern, `$${index + 3}`));
  const inProject = placeholders.map((pattern) => `(title ~ ${pattern} or description ~ ${pattern})`);
  const [tasks, projects] = await Promise.all([
    db.query<ListedTaskRow>({
      text: `select ${listedTasks.columns} from tasks.task
        where account_id = $1 and trashed_at is null and ${inTask.join(' and ')}
        order by ${inTitle} desc, status = 'open' desc, updated_at desc, id limit ${mostTasks + 1}`,
      values: [...values, ...patterns.map(stepPath)],
    }),
    db.query<ListedProjectRow>({
      text: `select ${listedProjects.columns} from tasks.project
        where account_id = $1 and trashed_at is null and ${inProject.join(' and ')}
        order by ${inTitle} desc, status = 'active' desc, updated_at desc, id limit ${mostProjects + 1}`,
      values,
    }),
  ]);
  return {
    tasks: tasks.rows.slice(0, mostTasks).map(listedTasks.present),
    projects: projects.rows.slice(0, mostProjects).map(listedProjects.present),
    isMore: tasks.rows.length > mostTasks || projects.rows.length > mostProjects,
  };
}
