import { string } from 'yup';
import { closedObject, flag, integer, listOf } from '#shared/validation/fields.ts';
import { briefProject, describeProject, describeProjectLine, findProjects } from '../brief-project.ts';
import { timeFacts, timeFactsOf } from '../brief-task.ts';
import { type CountedList, countCompleted, countedLists, countedMonths, countTasks } from '../count-tasks.ts';
import { describeToday } from '../format-page.ts';
import { hintOnLogbook } from '../search-hints.ts';
import { defineTool } from '../tool.ts';

const maximumProjects = 100;

const count = () => integer(0, Number.MAX_SAFE_INTEGER).defined();

const counts = closedObject(
  Object.fromEntries(countedLists.map((list) => [list, count()])) as Record<
    CountedList,
    ReturnType<typeof count>
  >,
);

export const overview = defineTool({
  name: 'overview',
  title: 'How many tasks there are',
  description:
    `Totals of every list (${countedLists.join(', ')}), of every active project, ` +
    `and of what was completed in each of the last ${countedMonths} months.`,
  scope: 'read',
  input: closedObject({}),
  output: closedObject({
    counts: counts.defined(),
    projects: listOf(briefProject.defined(), maximumProjects).defined(),
    hasMoreProjects: flag(),
    completedByMonth: listOf(
      closedObject({ month: string().defined(), completed: count() }).defined(),
      countedMonths,
    ).defined(),
    ...timeFacts,
  }),
  async run(call) {
    const { session } = call;
    const totals = await countTasks(session);
    const completedByMonth = await countCompleted(session);
    const search = { status: 'active', areaId: undefined, part: undefined } as const;
    const page = { size: maximumProjects, sectionCount: 1, cursor: undefined };
    const { items, nextCursor } = await findProjects(call, search, page);
    const projects = items.map((row) => describeProject({ ...row, sections: [] }, 0));
    const said = Object.entries(totals).map(([name, total]) => `${name} ${total}`);
    const byMonth = completedByMonth.map(({ month, completed }) => `${month} ${completed}`);
    const lines = [
      `${describeToday(session)} Tasks: ${said.join(', ')}.`,
      'A task planned for later is overdue too once its deadline has passed. ' +
        'A task can be in several lists: open counts each once.',
      `Completed by month: ${byMonth.join(', ')}.`,
      `Active projects${projects.length === 0 ? ': none' : ', with their open tasks:'}`,
      ...projects.map((project) => `- ${describeProjectLine(session, project)}`),
      ...(nextCursor === null ? [] : ['There are more: list_projects.']),
      ...hintOnLogbook(session, { view: 'logbook' }),
    ];
    return {
      text: lines.join('\n'),
      content: {
        counts: totals,
        projects,
        completedByMonth,
        hasMoreProjects: nextCursor === null ? undefined : true,
        ...timeFactsOf(session),
      },
    };
  },
});
