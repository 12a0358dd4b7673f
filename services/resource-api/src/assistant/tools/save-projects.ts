import type { InferType } from 'yup';
import { calendarDate, closedObject, enumeration, listOf, title } from '#shared/validation/fields.ts';
import { longestTitle } from '#shared/validation/text-limits.ts';
import type { WriteWrapper } from '../../http/route.ts';
import { createSection } from '../../projects/section-service.ts';
import type { Session } from '../../session.ts';
import { batchOf } from '../batch.ts';
import { describeProject, describeProjectLine, readProject } from '../brief-project.ts';
import { callOperation } from '../call-operation.ts';
import { countEntries } from '../count-entries.ts';
import { listProjectNames } from '../list-names.ts';
import { resolveArea, resolveProject } from '../names.ts';
import { defineTool, type ToolCall } from '../tool.ts';
import {
  areaName,
  clearedFields,
  formatSaved,
  newTitle,
  notes,
  projectName,
  type Saved,
  savedEntries,
  saveEach,
  wholeEntry,
} from './tool-fields.ts';

const newSectionsAtMost = 50;

const projectInput = closedObject({
  project: projectName(),
  title: newTitle(),
  notes: notes(),
  area: areaName(),
  deadlineDate: calendarDate().meta({ description: 'The day it must be done by, YYYY-MM-DD (Premium).' }),
  clear: listOf(enumeration(['notes', 'area', 'deadlineDate']).defined(), 3)
    .optional()
    .meta({ description: 'What to empty, of an existing project.' }),
  newSections: listOf(title(longestTitle).defined(), newSectionsAtMost)
    .optional()
    .meta({ description: 'Names of sections to add at the end, in order.' }),
}).label(wholeEntry);

type ProjectInput = InferType<typeof projectInput>;

export const saveProjects = defineTool({
  name: 'save_projects',
  title: 'Create or change projects',
  description:
    'Without project: creates one (title needed), with its sections if given. ' +
    'With project: changes what is given; notes replace those before, which get_project shows. ' +
    'Each is done whole or not at all.',
  scope: 'write',
  hints: { isDestructive: true },
  input: closedObject({
    projects: batchOf(projectInput, 'Those to create or change.'),
  }),
  output: closedObject({ projects: savedEntries() }),
  async run(call, { projects }) {
    await countEntries(
      call,
      projects.flatMap((entry) => [entry, Object(entry).newSections ?? []].flat()),
    );
    const { results, ...described } = await saveEach(call, projectInput, projects, (entry) =>
      saveProject(call, entry),
    );
    return { ...described, content: { projects: results } };
  },
});

async function saveProject(call: ToolCall, { project, newSections = [], ...fields }: ProjectInput) {
  const id = project === undefined ? undefined : await resolveProject(call, project);
  const body = await bodyOf(call, fields);
  const wrap = addSections(newSections);
  const namesakes = async (session: Session) =>
    (await listProjectNames(session)).filter(({ state }) => state === null);
  if (id === undefined) {
    const made = await callOperation<Saved>(call, 'createProject', { body }, wrap);
    const line = (session: Session) => describeSaved(session, made.id);
    return formatSaved(call, made, 'Created', { namesakes, line });
  }
  const changed = await callOperation<Saved>(call, 'updateProject', { params: { id }, body }, wrap);
  const isRenamed = fields.title !== undefined;
  return formatSaved(call, changed, 'Changed', { isChange: true, ...(isRenamed && { namesakes }) });
}

/** Describes the project as list_projects does, since a partial area name was resolved. */
async function describeSaved(session: Session, id: string): Promise<string> {
  const row = await readProject(session, id, newSectionsAtMost);
  return describeProjectLine(session, { ...describeProject(row, newSectionsAtMost), lastChange: undefined });
}

type Fields = Omit<ProjectInput, 'project' | 'newSections'>;

async function bodyOf(call: ToolCall, { notes: description, area, clear, ...rest }: Fields): Promise<object> {
  const areaId = area === undefined ? undefined : await resolveArea(call, area);
  const given = { ...rest, description, areaId };
  return { ...given, ...clearedFields(clear, given, { notes: 'description', area: 'areaId' }) };
}

/** Runs in the project's transaction: after a failure a client repeats the whole call. */
function addSections(names: readonly string[]): WriteWrapper<Saved> {
  return async (session, save) => {
    const saved = await save();
    for (const title of names) await createSection(session, saved.id, { title });
    return saved;
  };
}
