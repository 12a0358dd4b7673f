import { string } from 'yup';
import { closedObject, enumeration, flag, listOf, text } from '#shared/validation/fields.ts';
import { mostSections } from '#shared/validation/text-limits.ts';
import { projectStatuses } from '../../projects/project-entity.ts';
import type { Session } from '../../session.ts';
import {
  type BriefProject,
  briefProject,
  describeProject,
  describeProjectLine,
  findProjects,
  nameList,
  readProject,
} from '../brief-project.ts';
import { named, timeFacts, timeFactsOf } from '../brief-task.ts';
import { describeCount, describeNextPage, describeNotes, describeToday } from '../format-page.ts';
import { listAreaNames } from '../list-names.ts';
import { resolveArea, resolveProject } from '../names.ts';
import { hintOnOtherProjects } from '../search-hints.ts';
import { defineTool } from '../tool.ts';
import { areaName, cursorOfPage, projectName } from './tool-fields.ts';

const maximumProjects = 100;
const maximumAreas = 1_000;
/** Sections listed per project; get_project lists all. */
const shownSections = 20;

export const listProjects = defineTool({
  name: 'list_projects',
  title: 'List projects and areas',
  description:
    'The projects with their sections, how much is open, ' +
    'whether any is planned, the last change, and the areas that group them.',
  scope: 'read',
  input: closedObject({
    area: areaName(),
    text: text(200).meta({ description: 'Words of the project’s name.' }),
    status: enumeration([...projectStatuses, 'trashed'] as const).meta({
      description: 'active unless given.',
    }),
    cursor: cursorOfPage(),
  }),
  output: closedObject({
    projects: listOf(briefProject.defined(), maximumProjects).defined(),
    nextCursor: string(),
    areas: listOf(named.defined(), maximumAreas).defined(),
    hasMoreAreas: flag(),
    ...timeFacts,
  }),
  async run(call, { area, text: part, status = 'active', cursor }) {
    const { session } = call;
    const areaId = area === undefined ? undefined : await resolveArea(call, area);
    const page = { size: maximumProjects, sectionCount: shownSections + 1, cursor };
    const { items, nextCursor } = await findProjects(call, { status, areaId, part }, page);
    const projects = items.map((row) => describeProject(row, shownSections));
    const allAreas = await listAreaNames(session);
    const areas = allAreas.slice(0, maximumAreas).map(({ id, title }) => ({ id, title }));
    const hasMoreAreas = allAreas.length > areas.length ? true : undefined;
    const lines = [
      `${describeToday(session)} ${describeCount(projects.length, `${status} project`, nextCursor !== null)}`,
      ...projects.map((project) => describeListed(session, project, status === 'trashed')),
      ...(projects.length === 0 && part !== undefined ? await hintOnOtherProjects(call, part) : []),
      `Areas: ${nameList(areas) || 'none'}${hasMoreAreas ? ' and more: name them as the person does' : ''}`,
      ...describeNextPage(nextCursor),
    ];
    return {
      text: lines.join('\n'),
      content: {
        projects,
        nextCursor: nextCursor ?? undefined,
        areas,
        hasMoreAreas,
        ...timeFactsOf(session),
      },
    };
  },
});

function describeListed(session: Session, project: BriefProject, isTrashed: boolean): string {
  const more = project.hasMoreSections ? ' and more, which get_project shows' : '';
  return `- ${describeProjectLine(session, project, isTrashed)}${more}`;
}

export const getOneProject = defineTool({
  name: 'get_project',
  title: 'Read one project',
  description: 'One project with its notes and all its sections, closed or not. Its tasks: find_tasks.',
  scope: 'read',
  input: closedObject({ project: projectName().defined() }),
  output: closedObject({
    project: briefProject.defined(),
    notes: string(),
    ...timeFacts,
  }),
  async run(call, { project: wanted }) {
    const { session } = call;
    const row = await readProject(
      session,
      await resolveProject(call, wanted, { isClosedToo: true }),
      mostSections + 1,
    );
    const project = describeProject(row, mostSections);
    const more = project.hasMoreSections ? ' and more' : '';
    return {
      text: [
        describeToday(session),
        `${describeProjectLine(session, project)}${more}`,
        ...describeNotes(row.notes),
      ].join('\n'),
      content: { project, notes: row.notes ?? undefined, ...timeFactsOf(session) },
    };
  },
});
