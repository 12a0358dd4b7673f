import { string } from 'yup';
import { closedObject, enumeration, integer, listOf, text, uuid } from '#shared/validation/fields.ts';
import type { Session } from '../../session.ts';
import { timeFacts, timeFactsOf, withoutAbsent } from '../brief-task.ts';
import { resolveArea } from '../place.ts';
import { defineTool } from '../tool.ts';
import { areaName } from './tool-fields.ts';

const maximumProjects = 500;
const projectStates = ['active', 'completed', 'cancelled'] as const;

const briefProject = closedObject({
  id: uuid().defined().meta({ description: 'What other tools call the project by.' }),
  title: string().defined().meta({ description: 'What it is called.' }),
  status: enumeration(projectStates).defined().meta({ description: 'Only active projects take tasks.' }),
  area: string().meta({ description: 'The area it is in.' }),
  deadlineDate: string().meta({ description: 'The day it must be done by.' }),
  openTasks: integer(0, 1_000_000).defined().meta({ description: 'How many of its tasks are open.' }),
  sections: listOf(
    closedObject({
      id: uuid().defined().meta({ description: 'What other tools call the section by.' }),
      title: string().defined().meta({ description: 'What it is called.' }),
    }).defined(),
    1_000,
  )
    .defined()
    .meta({ description: 'In display order.' }),
});

type ProjectRow = {
  id: string;
  title: string;
  status: (typeof projectStates)[number];
  area: string | null;
  deadlineDate: string | null;
  openTasks: number;
  sections: { id: string; title: string }[];
};

export const listProjects = defineTool({
  name: 'list_projects',
  title: 'List projects and areas',
  description:
    'The projects with their sections and how much is open, and the areas they are grouped in. Active ones unless a status is given.',
  scope: 'read',
  hints: { isIdempotent: true },
  input: closedObject({
    area: areaName(),
    text: text(200).meta({ description: 'Part of the project’s name.' }),
    status: enumeration(projectStates).meta({ description: 'active unless given.' }),
  }),
  output: closedObject({
    projects: listOf(briefProject.defined(), maximumProjects)
      .defined()
      .meta({ description: 'In display order; at most 500.' }),
    areas: listOf(
      closedObject({
        id: uuid().defined().meta({ description: 'What other tools call the area by.' }),
        title: string().defined().meta({ description: 'What it is called.' }),
      }).defined(),
      1_000,
    )
      .defined()
      .meta({ description: 'Every area of the account.' }),
    ...timeFacts,
  }),
  async run(call, { area, text: part, status = 'active' }) {
    const areaId = area === undefined ? undefined : await resolveArea(call, area);
    const rows = await readProjects(call.session, { areaId, part, status });
    const projects = rows.map(({ area: grouped, deadlineDate, ...project }) =>
      withoutAbsent({ ...project, area: grouped ?? undefined, deadlineDate: deadlineDate ?? undefined }),
    );
    const areas = await readAreas(call.session);
    const lines = projects.map(({ id, title, area: grouped, openTasks, sections }) => {
      const parts =
        sections.length === 0 ? '' : `; sections: ${sections.map((each) => each.title).join(', ')}`;
      return `- ${title}${grouped ? ` (${grouped})` : ''}: ${openTasks} open${parts} [${id}]`;
    });
    const areaNames = areas.length === 0 ? 'none' : areas.map(({ title }) => title).join(', ');
    return {
      text: [
        `${projects.length} ${status} ${projects.length === 1 ? 'project' : 'projects'}:`,
        ...lines,
        `Areas: ${areaNames}`,
      ].join('\n'),
      content: { projects, areas, ...timeFactsOf(call.session) },
    };
  },
});

function readProjects(
  { em, account }: Session,
  { areaId, part, status }: { areaId: string | undefined; part: string | undefined; status: string },
): Promise<ProjectRow[]> {
  const pattern = `%${(part ?? '').replace(/[\\%_]/g, '\\$&')}%`;
  return em.execute<ProjectRow[]>(
    `select project.id, project.title, project.status, area.title as area, project.deadline_date::text as "deadlineDate",
       (select count(*)::int from tasks.task where task.account_id = ?
          and task.project_id = project.id and task.status = 'open' and task.trashed_at is null) as "openTasks",
       (select coalesce(json_agg(json_build_object('id', section.id, 'title', section.title) order by section.position), '[]')
          from tasks.section where section.account_id = ? and section.project_id = project.id) as sections
     from tasks.project left join tasks.area on area.account_id = project.account_id and area.id = project.area_id
     where project.account_id = ? and project.trashed_at is null and project.status = ?
       and project.title ilike ? and (?::uuid is null or project.area_id = ?::uuid)
     order by project.rank, project.id limit ?`,
    [account.id, account.id, account.id, status, pattern, areaId ?? null, areaId ?? null, maximumProjects],
  );
}

function readAreas({ em, account }: Session): Promise<{ id: string; title: string }[]> {
  return em.execute<{ id: string; title: string }[]>(
    `select id, title from tasks.area where account_id = ? order by rank, id limit 1000`,
    [account.id],
  );
}
