import { array, type InferType, object } from 'yup';
import {
  calendarDate,
  closedObject,
  enumeration,
  flag,
  integer,
  shownTimestamp,
  text,
  title,
  uuid,
} from '#shared/validation/fields.ts';
import { longestNotes, longestTitle } from '#shared/validation/text-limits.ts';
import { pagingParameters } from '../http/page.ts';
import { shownMembers } from '../http/shown-members.ts';
import { type ProjectWithSections, projectStatuses } from './project-entity.ts';

const sectionTitle = () =>
  title(longestTitle).meta({ description: 'Title of the section.', example: 'Before the move' });

export const sectionCreateBody = closedObject({ title: sectionTitle().defined() }).meta({
  schemaName: 'SectionCreate',
});

export const sectionPatchBody = closedObject(
  {
    title: sectionTitle(),
    position: integer(0, Number.MAX_SAFE_INTEGER).meta({
      description:
        'Where the section goes among its project’s, counted from 0. Beyond the end counts as last.',
      example: 0,
    }),
  },
  { projectId: 'projectId can’t be patched: a section stays in its project' },
).meta({ schemaName: 'SectionPatch', description: 'A merge patch: omitted members stay as they are.' });

export const sectionResponse = object({
  id: uuid().defined().meta({ description: 'Identifies the section.' }),
  projectId: uuid().defined().meta({ description: 'The project the section divides.' }),
  title: sectionTitle().defined(),
  createdAt: shownTimestamp('When the section was created.'),
  updatedAt: shownTimestamp('When the section, or its place among the project’s sections, last changed.'),
}).meta({ schemaName: 'Section', description: 'A heading within a project.' });

export const sectionListResponse = array(sectionResponse.defined()).defined();

const writable = {
  title: title(longestTitle).meta({ description: 'Title of the project.', example: 'Move to Lisbon' }),
  description: text(longestNotes).nullable().meta({
    description: 'Notes in Markdown, stored exactly as sent. Empty counts as null.',
    example: 'Keys at *Rua do Sol*.',
  }),
  areaId: uuid().nullable().meta({ description: 'The area the project is grouped in; null: in none.' }),
  deadlineDate: calendarDate().nullable().meta({
    description: 'The day the project must be done by. Setting it needs Premium.',
    example: '2030-12-31',
  }),
};

export const projectCreateBody = closedObject({ ...writable, title: writable.title.defined() }).meta({
  schemaName: 'ProjectCreate',
});

const lifecycle = 'use POST /projects/{id}/complete or /uncomplete';

export const projectPatchBody = closedObject(writable, {
  status: `status can't be patched; ${lifecycle}`,
  completedAt: `completedAt can't be patched; ${lifecycle}`,
  sections: "sections can't be patched here; use /projects/{id}/sections",
  inTrash: "inTrash can't be patched; use DELETE /projects/{id}",
}).meta({ schemaName: 'ProjectPatch', description: 'A merge patch: omitted members stay, null clears.' });

export const projectCompleteBody = closedObject({
  completeChildTasks: flag().meta({
    description: 'true: the remaining open tasks are completed. false or absent: they are cancelled.',
    example: true,
  }),
}).meta({ schemaName: 'ProjectComplete' });

export const projectResponse = object({
  id: uuid().defined().meta({ description: 'Identifies the project.' }),
  title: writable.title.defined(),
  description: writable.description.defined(),
  descriptionHtml: text(Number.MAX_SAFE_INTEGER)
    .defined()
    .meta({ description: 'The notes as sanitised HTML, read-only; empty without notes.', json: {} }),
  status: enumeration(projectStatuses).defined().meta({
    description: 'Only an active project can be changed or take new tasks. No operation makes one cancelled.',
  }),
  areaId: writable.areaId.defined(),
  deadlineDate: writable.deadlineDate.defined(),
  inTrash: flag()
    .defined()
    .meta({ description: 'Always false: a project in the Trash is not found.', example: false }),
  sections: sectionListResponse.meta({ description: 'In display order.' }),
  completedAt: shownTimestamp('When the project was completed.').nullable(),
  cancelledAt: shownTimestamp('When the project was cancelled.').nullable(),
  createdAt: shownTimestamp('When the project was created.'),
  updatedAt: shownTimestamp('When the project last changed; its sections and tasks have their own.'),
}).meta({ schemaName: 'Project', description: 'Contains tasks, and sections to divide them.' });

export const presentSection = shownMembers(sectionResponse);
const shown = shownMembers(projectResponse);

export function presentProject({
  project,
  sections,
}: ProjectWithSections): InferType<typeof projectResponse> {
  return { ...shown(project), inTrash: project.trashedAt !== null, sections: sections.map(presentSection) };
}

export const projectListQuery = object({
  areaId: uuid().meta({ description: 'Only projects of this area; none when there is no such area.' }),
  status: enumeration(projectStatuses).meta({ description: 'Not given: projects of every status.' }),
  ...pagingParameters,
});
