import type { InferType } from 'yup';
import { notFound } from '#shared/errors/errors.ts';
import { parseInstant } from '#shared/time/calendar-date.ts';
import type { CursorCodec } from '../http/cursor.ts';
import { type Page, pageSize } from '../http/page.ts';
import { planLimits } from '../plans/plan-policy.ts';
import type { Session } from '../session.ts';
import { waitForWrites } from '../sync/account-feed.ts';
import type { AccountTurns } from '../sync/account-turns.ts';
import type { PresentableTask } from './present-task.ts';
import { findTask, findTaskPage } from './task-repository.ts';
import type { taskListQuery } from './task-schema.ts';
import { logbookStart } from './task-views.ts';

/** Throws not_found; tasks in the Trash are found. */
export async function getTask({ em, account }: Session, id: string): Promise<PresentableTask> {
  const task = await findTask(em, account.id, id);
  if (task === undefined) throw notFound();
  return task;
}

/**
 * One page of a task list. Its cursor is good for the same `endpoint` alone, and pins the day the first page was read
 * on, so that a walk across midnight stays one list. Throws validation_error on `cursor`, and not_found for a project
 * or an area that is not there.
 */
export async function listTasks(
  session: Session,
  { cursors, accountTurns }: { cursors: CursorCodec; accountTurns: AccountTurns },
  endpoint: 'tasks' | 'project-tasks',
  query: InferType<typeof taskListQuery>,
): Promise<Page<PresentableTask>> {
  const { em, account } = session;
  const { view, status } = query;
  const projectId = query.projectId?.toLowerCase();
  const areaId = query.areaId?.toLowerCase();
  const updatedSince = query.updatedSince === undefined ? undefined : parseInstant(query.updatedSince);
  const scope = [account.id, endpoint, view, projectId, areaId, status, updatedSince];
  const after = query.cursor === undefined ? undefined : cursors.open(scope, query.cursor);
  const today = after?.today ?? session.today;
  const { logbookDays } = planLimits[account.plan];
  const logbookSince = logbookDays === null ? null : logbookStart(today, account.timezone, logbookDays);

  const settled = updatedSince && (await waitForWrites(em, account, accountTurns));
  const isRestricted = projectId !== undefined || areaId !== undefined;
  // For who asks for later than the last change: one that repeats the greatest `updatedAt` it has seen gets that change
  // again. Where a project or an area is named, whether it is there has to be told all the same.
  if (updatedSince && settled?.lastChangedAt && settled.lastChangedAt < updatedSince && !isRestricted)
    return { items: [], nextCursor: null };
  const page = await findTaskPage(
    em,
    { accountId: account.id, today, logbookSince, view, projectId, areaId, status, updatedSince },
    pageSize(query.limit),
    after?.key,
    (key) => cursors.seal(scope, { today, key }),
  );
  if (page === undefined) throw notFound();
  return page;
}
