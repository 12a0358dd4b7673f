import type { AnySchema, InferType } from 'yup';
import { newTaskFields } from '#shared/app/app-protocol.ts';
import { AppError } from '#shared/errors/app-error.ts';
import type { Plan } from '#shared/plans.ts';
import { parseInstant } from '#shared/time/calendar-date.ts';
import { isStorableText } from '#shared/validation/text-rules.ts';
import { validateInput } from '#shared/validation/validate-input.ts';
import { requireDeadlineAllowed, requireRoomForArea, requireRoomForProject } from '../plans/plan-policy.ts';
import { normaliseRule } from '../tasks/recurrence.ts';
import { type FileCounts, fileLists, type RowKind } from './file-format.ts';
import {
  areaRecord,
  fileMembers,
  fileOrigin,
  mostGroups,
  type ProjectRecord,
  projectRecord,
  type TaskRecord,
  taskRecord,
} from './file-schema.ts';
import { type FileEntry, fileError } from './read-account-file.ts';

/** A row to be stored, by property names; `line` is its line in the file. */
export type FileRow = { kind: RowKind; line: number; values: Record<string, unknown> };

export type PlanNeeds = { areas: number; liveProjects: number; hasDeadlines: boolean };

type RecordEntry = Extract<FileEntry, { kind: 'record' }>;

/** Checks a file against itself and the plan. Only ids of areas, projects and sections are kept in memory. */
export function createFileChecker(plan: Plan) {
  const head: Record<string, unknown> = {};
  const counts: FileCounts = { areas: 0, projects: 0, sections: 0, tasks: 0 };
  const needs: PlanNeeds = { areas: 0, liveProjects: 0, hasDeadlines: false };
  const areas = new Set<string>();
  const projects = new Set<string>();
  const projectOfSection = new Map<string, string>();

  function area(entry: RecordEntry): FileRow[] {
    const record = validated(areaRecord, entry);
    const id = newId(entry, areas, record.id);
    counts.areas += 1;
    needs.areas += 1;
    return [{ kind: 'area', line: entry.line, values: { ...record, id, ...instants(record) } }];
  }

  function project(entry: RecordEntry): FileRow[] {
    const { sections, ...record } = validated(projectRecord, entry);
    refuse(entry, closingFaults(record));
    const areaId = record.areaId?.toLowerCase() ?? null;
    if (areaId !== null && !areas.has(areaId))
      refuse(entry, [['areaId', 'areaId names no area that stands before it']]);
    const id = newId(entry, projects, record.id);
    counts.projects += 1;
    counts.sections += sections.length;
    if (record.status === 'active' && record.trashedAt === null) needs.liveProjects += 1;
    if (record.deadlineDate !== null) needs.hasDeadlines = true;
    const description = record.description || null;
    const values = { ...record, id, areaId, description, ...instants(record) };
    const rows = sections.map((section, position): FileRow => {
      const sectionId = newId(entry, projectOfSection, section.id);
      projectOfSection.set(sectionId, id);
      const row = { ...section, id: sectionId, projectId: id, position, ...instants(section) };
      return { kind: 'section', line: entry.line, values: row };
    });
    return [{ kind: 'project', line: entry.line, values }, ...rows];
  }

  function task(entry: RecordEntry): FileRow[] {
    const record = validated(taskRecord, entry);
    const projectId = record.projectId?.toLowerCase() ?? null;
    const sectionId = record.sectionId?.toLowerCase() ?? null;
    const faults = faultsOfTask(record);
    if (projectId !== null && !projects.has(projectId))
      faults.push(['projectId', 'projectId names no project that stands before it']);
    if (sectionId !== null && projectOfSection.get(sectionId) !== projectId)
      faults.push(['sectionId', 'sectionId names no section of that project']);
    refuse(entry, faults);
    counts.tasks += 1;
    if (record.deadlineDate !== null) needs.hasDeadlines = true;
    const values = {
      ...newTaskFields,
      ...record,
      id: record.id.toLowerCase(),
      projectId,
      sectionId,
      description: record.description || null,
      recurrence: record.recurrence && normaliseRule(record.recurrence),
      checklist: record.checklist.map((item) => ({ ...item, id: item.id.toLowerCase() })),
      ...instants(record),
    };
    return [{ kind: 'task', line: entry.line, values }];
  }

  function readHead<Schema extends AnySchema>(schema: Schema): InferType<Schema> {
    return withFirstFault(
      () => validateInput(schema, head, 'file'),
      (member, message) => fileError(1, member, message),
    );
  }

  function rowsOf(entry: RecordEntry): FileRow[] {
    try {
      return { areas: area, projects: project, tasks: task }[entry.list](entry);
    } catch (error) {
      // A file of another program or release is called that: an error of its first record would mislead.
      readHead(fileOrigin);
      throw error;
    }
  }

  return {
    /** Returns the rows of an entry. Throws validation_error and the errors of the plan's limits. */
    async check(entry: FileEntry): Promise<FileRow[]> {
      requireStorable(entry);
      if (entry.kind === 'member') {
        if (entry.name in fileMembers.fields) head[entry.name] = entry.value;
        return [];
      }
      const rows = rowsOf(entry);
      await requirePlan(plan, needs).catch((error: unknown) => {
        throw error instanceof AppError ? atLine(error, entry.line) : error;
      });
      return rows;
    },
    /** To be called at the end of the file. Throws validation_error. */
    finish() {
      const { counts: announced } = readHead(fileMembers);
      for (const name of [...fileLists, 'sections'] as const) {
        if (announced[name] !== counts[name])
          throw fileError(1, 'counts', `the file has ${counts[name]} ${name}, not ${announced[name]}`);
      }
      return { counts, needs };
    },
  };
}

/** Throws project_limit_reached, area_limit_reached and premium_required. */
export async function requirePlan(plan: Plan, needs: PlanNeeds): Promise<void> {
  if (needs.areas > 0) await requireRoomForArea(plan, async () => needs.areas - 1);
  if (needs.liveProjects > 0) await requireRoomForProject(plan, async () => needs.liveProjects - 1);
  // The value does not matter, only that there is one.
  if (needs.hasDeadlines) requireDeadlineAllowed(plan, null, '2000-01-01');
}

function atLine(error: AppError, line: number): AppError {
  return new AppError(error.code, { message: `Line ${line}: ${error.message}` });
}

function placeOf({ list, index }: RecordEntry, member: string): string {
  return `${list}[${index}].${member}`;
}

function validated<Schema extends AnySchema>(schema: Schema, entry: RecordEntry): InferType<Schema> {
  return withFirstFault(
    () => validateInput(schema, entry.value ?? undefined, 'record'),
    (member, message) => fileError(entry.line, placeOf(entry, member), message),
  );
}

function withFirstFault<Value>(
  validate: () => Value,
  toError: (member: string, message: string) => AppError,
): Value {
  try {
    return validate();
  } catch (error) {
    const [[member, messages] = []] = Object.entries((error instanceof AppError && error.errors) || {});
    if (member === undefined || messages === undefined) throw error;
    throw toError(member, messages.join('; '));
  }
}

function refuse(entry: RecordEntry, faults: readonly Fault[]): void {
  const [first] = faults;
  if (first !== undefined) throw fileError(entry.line, placeOf(entry, first[0]), first[1]);
}

type Ids = Pick<Set<string>, 'has' | 'size'> & { add?(id: string): unknown };

function newId(entry: RecordEntry, ids: Ids, given: string): string {
  const id = given.toLowerCase();
  if (ids.has(id)) refuse(entry, [['id', `the id ${id} comes twice`]]);
  if (ids.size >= mostGroups) refuse(entry, [['id', `the file has more than ${mostGroups} of these`]]);
  ids.add?.(id);
  return id;
}

const instantMembers = ['createdAt', 'trashedAt', 'completedAt', 'cancelledAt'];

/** Timestamps in UTC, as this service writes them. */
function instants(record: Record<string, unknown>): Record<string, string> {
  const found: Record<string, string> = {};
  for (const name of instantMembers) {
    const value = record[name];
    const instant = typeof value === 'string' ? parseInstant(value) : undefined;
    if (instant !== undefined) found[name] = instant.toISOString();
  }
  return found;
}

const deepestValue = 8;

function requireStorable(entry: FileEntry): void {
  const isStorable = (value: unknown, depth = 0): boolean => {
    if (typeof value === 'string') return isStorableText(value);
    if (typeof value !== 'object' || value === null) return true;
    return depth < deepestValue && Object.values(value).every((child) => isStorable(child, depth + 1));
  };
  const members = entry.kind === 'record' ? Object.entries(entry.value ?? {}) : [[entry.name, entry.value]];
  for (const [member, value] of members) {
    if (isStorable(value)) continue;
    const place = entry.kind === 'record' ? placeOf(entry, String(member)) : String(member);
    throw fileError(
      entry.line,
      place,
      `${member} must be well-formed Unicode text without U+0000, in few levels`,
    );
  }
}

/** An error between fields of a record, which the database would check too. */
type Fault = [member: string, message: string];

function faultsOfTask(task: TaskRecord): Fault[] {
  const faults = closingFaults(task);
  const isDated = task.dueDate !== null || task.deadlineDate !== null;
  if ((task.list === 'project') !== (task.projectId !== null))
    faults.push(['projectId', 'projectId belongs to the list project, and only to it']);
  if (task.sectionId !== null && task.projectId === null)
    faults.push(['sectionId', 'sectionId needs a projectId']);
  if (task.list === 'inbox' && isDated) faults.push(['list', 'a task with a date cannot be in the inbox']);
  if (task.reminderTime !== null && task.dueDate === null)
    faults.push(['reminderTime', 'reminderTime needs a dueDate']);
  if ((task.recurrence === null) !== (task.recurrenceAnchor === null))
    faults.push(['recurrenceAnchor', 'recurrenceAnchor belongs to a recurrence, and only to it']);
  if (task.isTrashedWithProject && (task.trashedAt === null || task.projectId === null))
    faults.push(['isTrashedWithProject', 'isTrashedWithProject needs a projectId and trashedAt']);
  if (new Set(task.checklist.map(({ id }) => id.toLowerCase())).size < task.checklist.length)
    faults.push(['checklist', 'checklist has two items with the same id']);
  return faults;
}

function closingFaults({
  status,
  completedAt,
  cancelledAt,
}: Pick<TaskRecord | ProjectRecord, 'status' | 'completedAt' | 'cancelledAt'>): Fault[] {
  const faults: Fault[] = [];
  if ((status === 'completed') !== (completedAt !== null))
    faults.push(['completedAt', 'completedAt belongs to the status completed, and only to it']);
  if ((status === 'cancelled') !== (cancelledAt !== null))
    faults.push(['cancelledAt', 'cancelledAt belongs to the status cancelled, and only to it']);
  return faults;
}
