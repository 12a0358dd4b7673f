import { string } from 'yup';
import { closedObject } from '#shared/validation/fields.ts';
import { briefProject, describeProject, describeProjectLine, maximumSections } from '../brief-project.ts';
import { timeFacts, timeFactsOf, withoutAbsent } from '../brief-task.ts';
import { describeNotes, describeToday } from '../page-text.ts';
import { resolveProject } from '../place.ts';
import { readProject } from '../project-rows.ts';
import { defineTool } from '../tool.ts';
import { projectName } from './tool-fields.ts';

export const getOneProject = defineTool({
  name: 'get_project',
  title: 'Read one project',
  description:
    'One project with its notes and sections; a closed one by its id. Its tasks are found by find_tasks.',
  scope: 'read',
  hints: { isIdempotent: true },
  input: closedObject({ project: projectName().defined() }),
  output: closedObject({
    project: briefProject.defined().meta({ description: 'The project.' }),
    notes: string().meta({ description: 'Its notes in Markdown.' }),
    ...timeFacts,
  }),
  async run(call, { project: wanted }) {
    const { session } = call;
    const row = await readProject(session, await resolveProject(call, wanted), maximumSections + 1);
    const project = describeProject(row, maximumSections);
    const more = project.hasMoreSections ? ' and more' : '';
    return {
      text: [
        describeToday(session),
        `${describeProjectLine(project)}${more}`,
        ...describeNotes(row.notes),
      ].join('\n'),
      content: withoutAbsent({ project, notes: row.notes ?? undefined, ...timeFactsOf(session) }),
    };
  },
});
