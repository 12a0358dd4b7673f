import { array } from 'yup';
import { closedObject, integer, timestamp, title, uuid } from '#shared/validation/fields.ts';

const titleLimit = 1_024;

const sectionTitle = () =>
  title(titleLimit).meta({ description: 'What the section is called.', example: 'Before the move' });
const instant = (description: string) => timestamp().defined().meta({ description, readOnly: true });

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

export const sectionResponse = closedObject({
  id: uuid().defined().meta({ description: 'Identifies the section.', readOnly: true }),
  projectId: uuid().defined().meta({ description: 'The project the section divides.', readOnly: true }),
  title: sectionTitle().defined(),
  createdAt: instant('When the section was created.'),
  updatedAt: instant('When the section, or its place among the project’s sections, last changed.'),
}).meta({ schemaName: 'Section', description: 'A heading within a project.' });

export const sectionListResponse = array(sectionResponse.defined()).defined();
