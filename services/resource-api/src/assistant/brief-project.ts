import { type InferType, string } from 'yup';
import { closedObject, enumeration, flag, integer, listOf, uuid } from '#shared/validation/fields.ts';
import { projectStatuses } from '../projects/project-entity.ts';
import { withoutAbsent } from './brief-task.ts';
import { inOneLine } from './names.ts';

import type { ProjectRow } from './project-rows.ts';

/** Shown of one project; old projects may have more. */
export const maximumSections = 1_000;

const named = (what: string) =>
  closedObject({
    id: uuid()
      .defined()
      .meta({ description: `What other tools call the ${what} by.` }),
    title: string().defined().meta({ description: 'What it is called.' }),
  });

export const namedArea = named('area');

/** A project in a list. Members that would be empty are left out. */
export const briefProject = closedObject({
  id: uuid().defined().meta({ description: 'What other tools call the project by.' }),
  title: string().defined().meta({ description: 'What it is called.' }),
  status: enumeration(projectStatuses).defined().meta({ description: 'Only active projects take tasks.' }),
  area: string().meta({ description: 'The area it is in.' }),
  deadlineDate: string().meta({ description: 'The day it must be done by.' }),
  closedAt: string().meta({ description: 'When it was completed or cancelled, UTC.' }),
  hasNotes: flag().meta({ description: 'get_project shows them.' }),
  openTasks: integer(0, Number.MAX_SAFE_INTEGER)
    .defined()
    .meta({ description: 'How many of its tasks are open.' }),
  sections: listOf(named('section').defined(), maximumSections)
    .defined()
    .meta({ description: 'In display order.' }),
  hasMoreSections: flag().meta({ description: 'These are not all of them.' }),
});

export type BriefProject = InferType<typeof briefProject>;

/** `row` has one section more than `shownSections` where there are more. */
export function describeProject(row: ProjectRow, shownSections: number): BriefProject {
  const { id, title, status, area, deadlineDate, closedAt, hasNotes, openTasks, sections } = row;
  return withoutAbsent({
    id,
    title,
    status,
    area: area ?? undefined,
    deadlineDate: deadlineDate ?? undefined,
    closedAt: closedAt ?? undefined,
    hasNotes: hasNotes ? true : undefined,
    openTasks,
    sections: sections.slice(0, shownSections),
    hasMoreSections: sections.length > shownSections ? true : undefined,
  });
}

/** A project in one line, with its id and those of its sections. */
export function describeProjectLine(project: BriefProject): string {
  const facts = [
    project.area && `in ${inOneLine(project.area)}`,
    `${project.openTasks} open`,
    project.deadlineDate && `deadline ${project.deadlineDate}`,
    project.hasNotes && 'has notes',
    project.closedAt && `${project.status} ${project.closedAt}`,
  ].filter(Boolean);
  const sections = project.sections.length === 0 ? '' : `; sections: ${nameList(project.sections)}`;
  return `${inOneLine(project.title)} (${facts.join(', ')}) [${project.id}]${sections}`;
}

export function nameList(all: readonly { id: string; title: string }[]): string {
  return all.map(({ id, title }) => `${inOneLine(title)} [${id}]`).join(', ');
}
