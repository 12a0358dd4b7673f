import { invalidField, notFound } from '#shared/errors/errors.ts';
import { parseInstant } from '#shared/time/calendar-date.ts';
import type { Page } from '../http/page.ts';
import { planLimits } from '../plans/plan-policy.ts';
import type { Session } from '../session.ts';
import { waitForWrites } from '../sync/account-feed.ts';
import type { PresentableTask } from '../tasks/present-task.ts';
import type { TaskStatus } from '../tasks/task-entity.ts';
import { findTaskPage } from '../tasks/task-repository.ts';
import { type Condition, logbookStart, type TaskView } from '../tasks/task-views.ts';
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
): Promise<Page<PresentableTask>> {
  const { em, account } = session;
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
  if (updatedSince !== undefined) await waitForWrites(em, account, context.accountTurns);
  const page = await findTaskPage(em, filter, size, after?.key, (key) =>
    context.cursors.seal(scope, { today, key }),
  );
  if (page === undefined) throw notFound();
  return page;
}

async function requireSection(
  { em, account }: Session,
  id: string,
  projectId: string | undefined,
): Promise<void> {
  const rows = await em.execute(
    `select from tasks.section
     join tasks.project on project.account_id = section.account_id and project.id = section.project_id
     where section.account_id = ? and section.id = ? and project.trashed_at is null
       and (?::uuid is null or project.id = ?::uuid)`,
    [account.id, id, projectId ?? null, projectId ?? null],
  );
  if (rows.length === 0) throw notFound();
}

function furtherConditions({ sectionId, text, from, to }: TaskSearch): Condition[] {
  const conditions: Condition[] = [];
  if (sectionId !== undefined) conditions.push({ sql: 'section_id = ?', parameters: [sectionId] });
  if (from !== undefined) conditions.push({ sql: 'view_date >= ?::date', parameters: [from] });
  if (to !== undefined) conditions.push({ sql: 'view_date <= ?::date', parameters: [to] });
  for (const word of wordsOf(text ?? '')) {
    const pattern = `%${word.replace(/[\\%_]/g, '\\$&')}%`;
    conditions.push({ sql: 'title ilike ? or description ilike ?', parameters: [pattern, pattern] });
  }
  return conditions;
}

/** Each is a condition on every task. */
export const maximumWords = 8;

function wordsOf(text: string): string[] {
  const words = text.split(/\s+/u).filter((word) => word !== '');
  if (words.length > maximumWords) throw invalidField('text', `text must have at most ${maximumWords} words`);
  return words;
}
