import { invalidField, notFound } from '#shared/errors/errors.ts';
import { parseInstant } from '#shared/time/calendar-date.ts';
import type { Page } from '../http/page.ts';
import { planLimits } from '../plans/plan-policy.ts';
import type { Session } from '../session.ts';
import { lastSettledChange } from '../sync/account-feed.ts';
import type { Task, TaskStatus } from '../tasks/task-entity.ts';
import { findTaskPage } from '../tasks/task-page.ts';
import { type Bind, logbookStart, type TaskView } from '../tasks/task-views.ts';
import type { ToolCall } from './tool.ts';

/** Ids are lower-case UUIDs, dates calendar dates. */
export type TaskSearch = {
  view?: TaskView | undefined;
  projectId?: string | undefined;
  areaId?: string | undefined;
  sectionId?: string | undefined;
  status?: TaskStatus | undefined;
  text?: string | undefined;
  from?: string | undefined;
  to?: string | undefined;
  changedSince?: string | undefined;
};

/**
 * One page of what the search finds. Throws not_found for an unknown project, area or section, validation_error on
 * `cursor` and `text`.
 */
export async function searchTasks(
  { context, session }: Pick<ToolCall, 'context' | 'session'>,
  search: TaskSearch,
  size: number,
  cursor: string | undefined,
): Promise<Page<Task>> {
  const { db, account } = session;
  const { view, projectId, areaId, sectionId, status, text, from, to, changedSince } = search;
  const scope = [
    account.id,
    'assistant',
    view,
    projectId,
    areaId,
    sectionId,
    status,
    text,
    from,
    to,
    changedSince,
  ];
  const after = cursor === undefined ? undefined : context.cursors.open(scope, cursor);
  const today = after?.today ?? session.today;
  const { logbookDays } = planLimits[account.plan];
  const updatedSince = changedSince === undefined ? undefined : parseInstant(changedSince);
  const filter = {
    accountId: account.id,
    today,
    logbookSince: logbookDays === null ? null : logbookStart(today, account.timezone, logbookDays),
    view,
    projectId,
    areaId,
    status,
    updatedSince,
    further: furtherConditions(search),
  };
  if (sectionId !== undefined) await requireSection(session, sectionId, projectId);
  if (updatedSince !== undefined) await lastSettledChange(db, account.id, context.accountQueue);
  const page = await findTaskPage(db, filter, size, after?.key, (key) =>
    context.cursors.seal(scope, { today, key }),
  );
  if (page === undefined) throw notFound();
  return page;
}

async function requireSection(
  { db, account }: Session,
  id: string,
  projectId: string | undefined,
): Promise<void> {
  const { rowCount } = await db.query({
    text: `select from tasks.section
     join tasks.project on project.account_id = section.account_id and project.id = section.project_id
     where section.account_id = $1 and section.id = $2 and project.trashed_at is null
       and ($3::uuid is null or project.id = $3)`,
    values: [account.id, id, projectId ?? null],
  });
  if (rowCount === 0) throw notFound();
}

function furtherConditions({ sectionId, text, from, to }: TaskSearch): (bind: Bind) => string[] {
  const patterns = wordsOf(text ?? '').map((word) => `%${word.replace(/[\\%_]/g, '\\$&')}%`);
  return (bind) => [
    ...(sectionId === undefined ? [] : [`section_id = ${bind(sectionId)}`]),
    ...(from === undefined ? [] : [`view_date >= ${bind(from)}::date`]),
    ...(to === undefined ? [] : [`view_date <= ${bind(to)}::date`]),
    ...patterns.map(bind).map((pattern) => `title ilike ${pattern} or description ilike ${pattern}`),
  ];
}

/** Each is a condition on every task. */
export const maximumWords = 8;

function wordsOf(text: string): string[] {
  const words = text.split(/\s+/u).filter((word) => word !== '');
  if (words.length > maximumWords) throw invalidField('text', `text must have at most ${maximumWords} words`);
  return words;
}
