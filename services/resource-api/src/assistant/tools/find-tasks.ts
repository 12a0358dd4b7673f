import { type InferType, string } from 'yup';
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
import type { Task } from '../../tasks/task-entity.ts';
import { taskStatuses } from '../../tasks/task-entity.ts';
import { taskViews } from '../../tasks/task-views.ts';
import { briefTask, timeFacts } from '../brief-task.ts';
import { describeNextPage, formatPage, nextPage } from '../format-page.ts';
import { resolveArea, resolveProject, resolveSection } from '../names.ts';
import { maximumWords, searchTasks, type TaskSearch } from '../search-tasks.ts';
import { defineTool, type ToolCall } from '../tool.ts';
import { areaName, cursorOfPage, projectName, sectionName } from './tool-fields.ts';

const maximumPage = 100;
const usualPage = 30;

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
): Promise<Page<Task>> {
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
