import { notFound } from '#shared/errors/errors.ts';
import { parseInstant } from '#shared/time/calendar-date.ts';
import type { Page } from '../http/page.ts';
import { planLimits } from '../plans/plan-policy.ts';
import { waitForWrites } from '../sync/account-feed.ts';
import type { PresentableTask } from '../tasks/present-task.ts';
import type { TaskStatus } from '../tasks/task-entity.ts';
import { findTaskPage } from '../tasks/task-repository.ts';
import { type Condition, logbookStart, type TaskView } from '../tasks/task-views.ts';
import type { ToolCall } from './tool.ts';

/** What a person asks for; ids are lower-case UUIDs, dates calendar dates. */
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

/** One page of what the search finds. Throws not_found for an unknown project or area, validation_error on `cursor`. */
export async function searchTasks(
  { context, session }: Pick<ToolCall, 'context' | 'session'>,
  search: TaskSearch,
  size: number,
  cursor: string | undefined,
): Promise<Page<PresentableTask>> {
  const { em, account, principal } = session;
  const scope = [account.id, 'assistant', ...Object.entries(search).flat()];
  const after = cursor === undefined ? undefined : context.cursors.open(scope, cursor);
  const today = after?.today ?? session.today;
  const { logbookDays } = planLimits[account.plan];
  const updatedSince = search.changedSince === undefined ? undefined : parseInstant(search.changedSince);
  const filter = {
    accountId: account.id,
    today,
    logbookSince: logbookDays === null ? null : logbookStart(today, account.timezone, logbookDays),
    view: search.view,
    projectId: search.projectId,
    areaId: search.areaId,
    status: search.status,
    updatedSince,
    further: furtherConditions(search),
  };
  if (updatedSince !== undefined) await waitForWrites(em, principal);
  const page = await findTaskPage(em, filter, size, after?.key, (key) =>
    context.cursors.seal(scope, { today, key }),
  );
  if (page === undefined) throw notFound();
  return page;
}

function furtherConditions({ sectionId, text, from, to }: TaskSearch): Condition[] {
  const conditions: Condition[] = [];
  if (sectionId !== undefined) conditions.push({ sql: 'section_id = ?', parameters: [sectionId] });
  if (from !== undefined) conditions.push({ sql: 'view_date >= ?::date', parameters: [from] });
  if (to !== undefined) conditions.push({ sql: 'view_date <= ?::date', parameters: [to] });
  for (const word of wordsOf(text)) {
    const pattern = `%${word.replace(/[\\%_]/g, '\\$&')}%`;
    conditions.push({ sql: 'title ilike ? or description ilike ?', parameters: [pattern, pattern] });
  }
  return conditions;
}

const maximumWords = 8;

/** Every word has to occur, in any order. */
function wordsOf(text: string | undefined): string[] {
  return (text ?? '')
    .split(/\s+/u)
    .filter((word) => word !== '')
    .slice(0, maximumWords);
}
