import type { InferType } from 'yup';
import { calendarDate, closedObject, enumeration, listOf, title } from '#shared/validation/fields.ts';
import type { FurtherWork } from '../../http/route.ts';
import { createSection } from '../../projects/section-service.ts';
import { withoutAbsent } from '../brief-task.ts';
import { callOperation } from '../call-operation.ts';
import { resolveArea, resolveProject } from '../names.ts';
import { defineTool, type ToolCall } from '../tool.ts';
import {
  areaName,
  clearedFields,
  formatSaved,
  newTitle,
  notes,
  outcome,
  projectName,
  type Saved,
} from './tool-fields.ts';

const input = closedObject({
  project: projectName(),
  title: newTitle(),
  notes: notes(),
  area: areaName(),
  deadlineDate: calendarDate().meta({ description: 'The day it must be done by, YYYY-MM-DD (Premium).' }),
  clear: listOf(enumeration(['notes', 'area', 'deadlineDate']).defined(), 3)
    .optional()
    .meta({ description: 'What to empty, of an existing project.' }),
  newSections: listOf(title(1_024).defined(), 50)
    .optional()
    .meta({ description: 'Names of sections to add at the end, in order.' }),
});

export const saveProject = defineTool({
  name: 'save_project',
  title: 'Create or change a project',
  description:
    'Without project: creates one (title needed), with its sections if given. With project: changes what is given; notes replace those before, which get_project shows. Empty a field by naming it in clear. All of it is done, or nothing.',
  scope: 'write',
  hints: { isDestructive: true },
  input,
  output: outcome,
  async run(call, { project, newSections = [], ...fields }) {
    const id = project === undefined ? undefined : await resolveProject(call, project);
    const body = await bodyOf(call, fields);
    const further = addSections(newSections);
    if (id === undefined) {
      const made = await callOperation<Saved>(call, 'createProject', { body }, further);
      return formatSaved(call, made, 'Created');
    }
    const changed = await callOperation<Saved>(call, 'updateProject', { params: { id }, body }, further);
    return formatSaved(call, changed, 'Changed');
  },
});

type Fields = Omit<InferType<typeof input>, 'project' | 'newSections'>;

async function bodyOf(call: ToolCall, { notes: description, area, clear, ...rest }: Fields): Promise<object> {
  const areaId = area === undefined ? undefined : await resolveArea(call, area);
  const given = withoutAbsent({ ...rest, description, areaId });
  return { ...given, ...clearedFields(clear, given, { notes: 'description', area: 'areaId' }) };
}

/** In the transaction of the project: after a failure a client repeats the whole call. */
function addSections(names: readonly string[]): FurtherWork<Saved> {
  return async (session, { id }) => {
    for (const title of names) await createSection(session, id, { title });
  };
}
