import { type InferType, string } from 'yup';
import type { Queryable } from '#shared/database/database.ts';
import { invalidField, notFound } from '#shared/errors/errors.ts';
import { planLimits } from '#shared/plans.ts';
import { parseInstant } from '#shared/time/calendar-date.ts';
import {
  calendarDate,
  closedObject,
  enumeration,
  integer,
  listOf,
  text,
  timestamp,
} from '#shared/validation/fields.ts';
import type { Page } from '../../http/page.ts';
import type { Session } from '../../session.ts';
import { readSettled } from '../../sync/account-feed.ts';
import { type ListedTask, type TaskStatus, taskStatuses } from '../../tasks/task-entity.ts';
import { findTaskPage } from '../../tasks/task-page.ts';
import { type Bind, logbookStart, type TaskView, taskViews } from '../../tasks/task-views.ts';
import { briefTask, timeFacts } from '../brief-task.ts';
import { describeNextPage, formatPage, nextPage } from '../format-page.ts';
import { resolveArea, resolveProject, resolveSection } from '../names.ts';
import { defineTool, type ToolCall } from '../tool.ts';
import { areaName, cursorOfPage, projectName, sectionName } from './tool-fields.ts';

const maximumPage = 100;
const usualPage = 30;
/** Each is a condition on every task. */
const maximumWords = 8;

const paging = {
  limit: integer(1, maximumPage).meta({
    description: `How many at most, 1 to ${maximumPage}; ${usualPage} unless given.`,
  }),
  cursor: cursorOfPage(),
};

const taskList = closedObject({
  tasks: listOf(briefTask.defined(), maximumPage)
    .defined()
    .meta({ description: 'The tasks, in the order of the list.' }),
  nextCursor: string().meta({ description: nextPage }),
  ...timeFacts,
});

const findInput = closedObject({
  view: enumeration(taskViews).meta({
    description: 'A ready-made list. all includes closed and trashed tasks.',
  }),
  project: projectName(),
  area: areaName(),
  section: sectionName(),
  text: text(200).meta({
    description: `Words that must all occur in the title or the notes; at most ${maximumWords}.`,
  }),
  from: calendarDate().meta({
    description: 'Planned on this day or later, YYYY-MM-DD; a task without a plan counts by its deadline.',
  }),
  to: calendarDate().meta({
    description: 'Planned on this day or earlier, YYYY-MM-DD; a task without a plan counts by its deadline.',
  }),
  status: enumeration(taskStatuses).meta({ description: 'Only tasks of this status.' }),
  ...paging,
});

export type FindInput = InferType<typeof findInput>;

export const findTasks = defineTool({
  name: 'find_tasks',
  title: 'Find tasks',
  description:
    'Lists tasks, brief. Use view=today for «what’s on today» (overdue ones included), upcoming for later days, inbox, someday, anytime, logbook (closed) or trash; or narrow by project, area, section, words, dates and status. Filters combine. Without view and status: every open task.',
  scope: 'read',
  hints: { isIdempotent: true },
  input: findInput,
  output: taskList,
  async run(call, input) {
    const page = await findPage(call, input);
    return formatPage(call, page, describeNextPage(page.nextCursor));
  },
});

export async function findPage(
  call: ToolCall,
  { project, area, section, view, status, limit, cursor, ...rest }: FindInput,
): Promise<Page<ListedTask>> {
  const projectId = project === undefined ? undefined : await resolveProject(call, project);
  const search = {
    ...rest,
    view,
    projectId,
    areaId: area === undefined ? undefined : await resolveArea(call, area),
    sectionId: section === undefined ? undefined : await resolveSection(call, section, projectId),
    status: status ?? (view === undefined ? 'open' : undefined),
  } satisfies TaskSearch;
  return searchTasks(call, search, limit ?? usualPage, cursor);
}

export const changesSince = defineTool({
  name: 'changes_since',
  title: 'What changed since',
  description:
    'Lists tasks created, changed, closed or trashed at or after an instant, oldest change first. For «what happened while I was away».',
  scope: 'read',
  hints: { isIdempotent: true },
  input: closedObject({
    since: timestamp()
      .defined()
      .meta({ description: 'RFC 3339 with an offset, such as 2026-11-20T18:00:00Z.' }),
    ...paging,
  }),
  output: taskList,
  async run(call, { since, limit, cursor }) {
    const search = { view: 'all', changedSince: since } as const;
    const page = await searchTasks(call, search, limit ?? usualPage, cursor);
    return formatPage(call, page, describeNextPage(page.nextCursor));
  },
});

/** Ids are lower-case UUIDs, dates calendar dates. */
type TaskSearch = {
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
async function searchTasks(
  { context, session }: Pick<ToolCall, 'context' | 'session'>,
  search: TaskSearch,
  size: number,
  cursor: string | undefined,
): Promise<Page<ListedTask>> {
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
  const seal = (key: readonly string[]): string => context.cursors.seal(scope, { today, key });
  const read = (from: Queryable) => findTaskPage(from, filter, size, after?.key, seal);
  const page =
    updatedSince === undefined
      ? await read(db)
      : await readSettled(context.database, account.id, context.accountQueue, read);
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

function wordsOf(text: string): string[] {
  const words = text.split(/\s+/u).filter((word) => word !== '');
  if (words.length > maximumWords) throw invalidField('text', `text must have at most ${maximumWords} words`);
  return words;
}
