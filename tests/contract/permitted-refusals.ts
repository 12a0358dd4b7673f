import type { Problem, Task } from '#tests/support/api-types.ts';
import type { FilledRequest } from './fuzz-request.ts';
import type { FuzzWorld } from './fuzz-world.ts';
import type { Answer } from './known-resources.ts';

/** A refusal of a request that obeys every schema, for a reason that the document gives in words. */
type Refusal = {
  operations: RegExp;
  status: number;
  /** `errorCode`, or OAuth's `error`. */
  code: string;
  reason: string;
  /** Only requests for which this holds may be refused so. */
  when(facts: Facts): boolean;
};

type Facts = {
  world: FuzzWorld;
  request: FilledRequest;
  /** The field that the errors name first. */
  field: string;
  body: Readonly<Record<string, unknown>>;
  query: Readonly<Record<string, unknown>>;
};

const id = (value: unknown): string => String(value).toLowerCase();

function exists({ known }: FuzzWorld, kind: 'project' | 'area' | 'section', value: unknown): boolean {
  return { project: known.projects, area: known.areas, section: known.sections }[kind].has(id(value));
}

const isUnknown = ({ world }: Facts, kind: 'project' | 'area' | 'section', value: unknown): boolean =>
  value !== undefined && value !== null && !exists(world, kind, value);

function isClosed({ world, request, body }: Facts): boolean {
  const { known } = world;
  const sectionsProject = known.sections.get(id(body.sectionId));
  return [request.path.id, body.projectId, sectionsProject].some(
    (value) => known.projects.get(id(value)) === 'closed',
  );
}

function taskOf({ world, request }: Facts): Task | undefined {
  return world.known.tasks.get(id(request.path.id));
}

/** The states that a transition does not start from; a task that is not known well may be in any. */
function contradicts(facts: Facts, states: readonly string[]): boolean {
  const task = taskOf(facts);
  return task === undefined || task.inTrash || states.includes(task.status) || closedProjectOf(facts, task);
}

function closedProjectOf({ world }: Facts, { projectId }: Task): boolean {
  return projectId !== null && world.known.projects.get(projectId) !== 'active';
}

function ruleIn({ recurrence }: Facts['body']): { frequency?: string; weekdays?: string[] | null } {
  return recurrence ?? {};
}

const refusals: readonly Refusal[] = [
  {
    operations: /^(getTask|patchTask|trashTask|moveTask|(un)?completeTask|(un)?cancelTask|restoreTask)$/,
    status: 404,
    code: 'not_found',
    reason: 'no such task',
    when: ({ world, request }) => !world.known.tasks.has(id(request.path.id)),
  },
  {
    operations: /^(listProjectTasks|(get|update|delete|(un)?complete)Project|listSections|createSection)$/,
    status: 404,
    code: 'not_found',
    reason: 'no such project, or it is in the Trash',
    when: ({ world, request }) => !exists(world, 'project', request.path.id),
  },
  {
    operations: /^(update|delete)Section$/,
    status: 404,
    code: 'not_found',
    reason: 'no such section in that project',
    when: ({ world, request }) =>
      world.known.sections.get(id(request.path.sectionId)) !== id(request.path.id),
  },
  {
    operations: /^(get|update|delete)Area$/,
    status: 404,
    code: 'not_found',
    reason: 'no such area',
    when: ({ world, request }) => !exists(world, 'area', request.path.id),
  },
  {
    operations: /^(createTask|moveTask)$/,
    status: 404,
    code: 'not_found',
    reason: 'no such project or section to file the task in',
    when: (facts) =>
      isUnknown(facts, 'project', facts.body.projectId) || isUnknown(facts, 'section', facts.body.sectionId),
  },
  {
    operations: /^(listTasks|listProjectTasks)$/,
    status: 404,
    code: 'not_found',
    reason: 'no such project or area to filter by',
    when: (facts) =>
      isUnknown(facts, 'project', facts.query.projectId) || isUnknown(facts, 'area', facts.query.areaId),
  },
  {
    operations: /^(createProject|updateProject)$/,
    status: 400,
    code: 'validation_error',
    reason: 'no such area to group the project in',
    when: (facts) => facts.field === 'areaId' && isUnknown(facts, 'area', facts.body.areaId),
  },
  {
    operations: /^(createTask|moveTask)$/,
    status: 400,
    code: 'validation_error',
    reason: 'list, project and section contradict each other, or leave open which project is meant',
    when: ({ field, body }) =>
      (field === 'list' && body.list !== undefined) ||
      (field === 'sectionId' &&
        body.sectionId !== undefined &&
        (body.projectId !== undefined || body.sectionId === null)),
  },
  {
    operations: /^(createTask|patchTask)$/,
    status: 400,
    code: 'validation_error',
    reason: 'a reminder needs a start date',
    when: ({ field, body }) =>
      field === 'reminderTime' && typeof body.reminderTime === 'string' && typeof body.dueDate !== 'string',
  },
  {
    operations: /^(createTask|patchTask)$/,
    status: 400,
    code: 'validation_error',
    reason: 'weekdays only with frequency weekly',
    when: ({ field, body }) => {
      const { frequency, weekdays } = ruleIn(body);
      return field === 'recurrence' && frequency !== 'weekly' && (weekdays?.length ?? 0) > 0;
    },
  },
  {
    operations: /^patchTask$/,
    status: 400,
    code: 'validation_error',
    reason: 'a task without a rule needs a frequency',
    when: (facts) => {
      const { frequency } = ruleIn(facts.body);
      return facts.field === 'recurrence' && frequency === undefined && !taskOf(facts)?.recurrence;
    },
  },
  {
    operations: /^updateProject$/,
    status: 400,
    code: 'validation_error',
    reason: 'a closed project cannot be patched',
    when: (facts) => facts.field === 'status' && isClosed(facts),
  },
  {
    operations: /^(create|patch)Task$|^(create|update)Project$/,
    status: 403,
    code: 'premium_required',
    reason: 'deadlines are for Premium',
    when: ({ world, body }) => world.plan === 'free' && typeof body.deadlineDate === 'string',
  },
  {
    operations: /^createProject$|^uncompleteProject$/,
    status: 403,
    code: 'project_limit_reached',
    reason: 'five active projects on the free plan',
    when: ({ world }) =>
      world.plan === 'free' &&
      [...world.known.projects.values()].filter((state) => state === 'active').length >= 5,
  },
  {
    operations: /^createArea$/,
    status: 403,
    code: 'area_limit_reached',
    reason: 'two areas on the free plan',
    when: ({ world }) => world.plan === 'free' && world.known.areas.size >= 2,
  },
  {
    operations: /^(createTask|moveTask|createSection|updateSection|deleteSection)$/,
    status: 409,
    code: 'invalid_state',
    reason: 'the project is closed',
    when: isClosed,
  },
  {
    operations: /^moveTask$/,
    status: 409,
    code: 'invalid_state',
    reason: 'a task in the Trash cannot be moved, and no task within a closed project',
    when: (facts) => contradicts(facts, []),
  },
  ...Object.entries({
    completeTask: ['cancelled'],
    uncompleteTask: ['completed', 'cancelled'],
    cancelTask: ['completed'],
    uncancelTask: ['completed', 'cancelled'],
  }).map(
    ([operation, states]): Refusal => ({
      operations: new RegExp(`^${operation}$`),
      status: 409,
      code: 'invalid_state',
      reason: 'the task is closed otherwise, in the Trash or in a closed project',
      when: (facts) => contradicts(facts, states),
    }),
  ),
  {
    operations: /^exchangeToken$/,
    status: 400,
    code: 'invalid_grant',
    reason: 'the subject token is no token',
    when: ({ body }) => !/^tms_\w{43}$/.test(String(body.subjectToken)),
  },
  {
    operations: /^registerClient$/,
    status: 400,
    code: 'invalid_client_metadata',
    reason: 'control characters in a text that people are shown',
    when: ({ body }) =>
      ['client_name', 'software_id', 'software_version'].some((name) => /\p{Cc}/u.test(String(body[name]))),
  },
];

/** Why this refusal of a valid request is right; undefined when nothing speaks for it. */
export function permittedRefusal(
  world: FuzzWorld,
  request: FilledRequest,
  answer: Answer,
): string | undefined {
  const { errorCode, error, errors = {} } = (answer.body ?? {}) as Partial<Problem> & { error?: string };
  const [field = ''] = Object.keys(errors);
  const body = (request.body ?? {}) as Facts['body'];
  const facts = { world, request, field, body, query: Object.fromEntries(request.query) };
  return refusals.find(
    ({ operations, status, code, when }) =>
      operations.test(request.operation.id) &&
      status === answer.status &&
      code === (errorCode ?? error) &&
      when(facts),
  )?.reason;
}
