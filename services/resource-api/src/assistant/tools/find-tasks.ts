import { string } from 'yup';
import { closedObject, integer, listOf } from '#shared/validation/fields.ts';
import type { Page } from '../../http/page.ts';
import type { ListedTask } from '../../tasks/task-entity.ts';
import { briefTask, timeFacts } from '../brief-task.ts';
import { closedToday, requireConsistent } from '../contradictions.ts';
import { describeNextPage, formatPage } from '../format-page.ts';
import { resolveArea, resolveProject, resolveSection } from '../names.ts';
import { hintOnReminders } from '../reminder-hint.ts';
import {
  hintOnDueProjects,
  hintOnLogbook,
  hintOnNames,
  hintOnProject,
  hintOnProjectNotes,
  hintOnRepeating,
} from '../search-hints.ts';
import {
  countFound,
  type FindInput,
  findInput,
  maximumCount,
  maximumPage,
  patternsOf,
  searchTasks,
  type TaskSearch,
  usualPage,
} from '../task-search.ts';
import { defineTool, type ToolCall } from '../tool.ts';
import { startOf } from './tool-fields.ts';

/** Closed or trashed tasks shown if no open task matches. */
const hintedTasks = 5;

export const findTasks = defineTool({
  name: 'find_tasks',
  title: 'Find tasks',
  description:
    'Lists tasks. Filters combine. ' +
    'For «what did I finish last week» use closedFrom and closedTo with status=completed; ' +
    'for plans plannedFrom and plannedTo; ' +
    'for «what is due» also deadlineFrom and deadlineTo, in a second call. ' +
    'Of a longer list the first page says how many there are; of every list at once: overview.',
  scope: 'read',
  input: findInput,
  output: closedObject({
    tasks: listOf(briefTask.defined(), maximumPage).defined(),
    nextCursor: string(),
    /** Number of tasks in all pages; only on the first of several. */
    total: integer(0, maximumCount),
    ...timeFacts,
  }),
  async run(call, sent) {
    const ofToday = closedToday(sent, call.session.today);
    const input = ofToday ?? sent;
    const patterns = patternsOf(input.text);
    const found = await findPage(call, input);
    const closed = found.items.length === 0 ? await findClosed(call, input) : undefined;
    const total = await countAll(call, input, found);
    const ending = [
      ...(ofToday === undefined ? [] : [`Only what was ${sent.status} today, whatever it was planned for.`]),
      ...(found.items.length === 0 ? await hintOnProject(call, found.search) : []),
      ...(await hintOnNames(call, input)),
      ...(await hintOnProjectNotes(call, input, patterns)),
      ...hintOnLogbook(call.session, input),
      ...(found.items.length === 0 && input.changedBefore !== undefined ? [hintOnImport] : []),
      ...(await hintOnReminders(
        call,
        found.items.filter(({ trashedAt }) => trashedAt === null),
      )),
      ...(input.cursor === undefined ? await hintOnDueProjects(call, found.search) : []),
      ...(input.cursor === undefined ? await hintOnRepeating(call, found.search) : []),
      ...describeNextPage(found.nextCursor),
    ];
    const isPastEnd = found.items.length === 0 && input.cursor !== undefined;
    const head = closed === undefined ? describeTotal(found, total, isPastEnd) : describeClosed(closed);
    const isNothing = found.items.length === 0 && closed === undefined && ending.length === 0;
    if (isNothing && patterns.length > 0) ending.push(...hintOnWords(sent));
    const shown = closed ? { ...closed, nextCursor: null } : found;
    const { text, content } = await formatPage(call, shown, { head, ending, patterns, time: timeOf(input) });
    return { text, content: { ...content, ...(total !== undefined && { total }) } };
  },
});

/** The timestamp shown for each task: the one that the list is filtered or sorted by. */
function timeOf({ sort, changedSince, changedBefore }: FindInput) {
  if (sort === 'oldest' || sort === 'newest') return 'createdAt';
  return sort === 'changed' || (changedSince ?? changedBefore) !== undefined ? 'updatedAt' : undefined;
}

const hintOnImport =
  'An import changes every task, too: sort=oldest tells when each was added, also before the import.';

/** If a search for open tasks by words or project is empty, not its last page: the closed or trashed ones. */
async function findClosed(call: ToolCall, input: FindInput): Promise<Page<ListedTask> | undefined> {
  if (input.cursor !== undefined || !isOfOpenTasks(input) || (input.text ?? input.project) === undefined)
    return undefined;
  const { sort = 'changed' } = input;
  const page = await findPage(call, { ...input, sort, view: 'all', limit: hintedTasks });
  return page.items.length === 0 ? undefined : page;
}

/** If no task in any state has all the words: suggests fewer words. */
function hintOnWords({ text: _text, sort: _sort, limit: _limit, ...filters }: FindInput): string[] {
  if (Object.values(filters).some((filter) => filter !== undefined)) return [];
  return ['No task has all these words: search for fewer, or for the beginning of one.'];
}

function describeClosed({ nextCursor }: Page<ListedTask>): string {
  const more = nextCursor === null ? ':' : ', and there are more, which view=all lists:';
  return `0 open tasks. Closed or in the Trash${more}`;
}

/** The total of a list longer than its first page; otherwise undefined. */
async function countAll(
  { session }: ToolCall,
  { cursor }: FindInput,
  { nextCursor, search }: Page<ListedTask> & { search: TaskSearch },
): Promise<number | undefined> {
  if (nextCursor === null || cursor !== undefined) return undefined;
  return countFound(session, search);
}

function describeTotal({ items }: Page<ListedTask>, total: number | undefined, isPastEnd: boolean) {
  if (isPastEnd) return 'No more tasks.';
  if (total === undefined) return undefined;
  const first = items.length === 1 ? '' : ` ${items.length}`;
  return `The first${first} of ${total === maximumCount ? 'at least ' : ''}${total} tasks:`;
}

export async function findPage(
  call: ToolCall,
  input: FindInput,
): Promise<Page<ListedTask> & { search: TaskSearch }> {
  requireConsistent(input, call.session.today);
  const { project, area, section, changedSince, changedBefore, limit, cursor, ...rest } = input;
  const anyProject = { isClosedToo: true, isTrashedToo: true, isEqual: rest.view === 'trash' };
  const projectId = project === undefined ? undefined : await resolveProject(call, project, anyProject);
  const search = {
    ...rest,
    projectId,
    areaId: area === undefined ? undefined : await resolveArea(call, area),
    sectionId: section === undefined ? undefined : await resolveSection(call, section, projectId),
    changedSince: changedSince === undefined ? undefined : startOf(call.session, changedSince),
    changedBefore: changedBefore === undefined ? undefined : startOf(call.session, changedBefore),
    ...(isOfOpenTasks(input) && { status: 'open' }),
    // With a status, as always, without those in the Trash.
    ...(changedSince !== undefined && (rest.view ?? rest.status) === undefined && { view: 'all' }),
  } satisfies TaskSearch;
  return { ...(await searchTasks(call, search, limit ?? usualPage, cursor)), search };
}

function isOfOpenTasks({ view, status, closedFrom, closedTo, changedSince }: FindInput): boolean {
  return (view ?? status ?? closedFrom ?? closedTo ?? changedSince) === undefined;
}
