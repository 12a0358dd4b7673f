import fc from 'fast-check';
import type { ListName } from '#tests/support/api-types.ts';
import type { SentTask } from '#tests/support/factories.ts';
import { dateOf, dayNumber } from '../unit/series-oracle.ts';
import type { Kind } from './account-state.ts';
import { greatestChoice, owner } from './chosen-operations.ts';
import {
  type Destination,
  type Operation,
  type RulePatch,
  type TaskPatch,
  taskTransitions,
} from './operation.ts';

/** Where it may be yesterday, today and tomorrow at one instant. */
const timezones = ['Pacific/Pago_Pago', 'Europe/Berlin', 'Pacific/Kiritimati'];

const choose = (kind: Kind | 'trashed' | 'closed' | 'repeating' | 'divided') =>
  fc.nat(greatestChoice).map((number) => `${kind}?${number}`);
const [task, project, section, area] = [choose('task'), choose('project'), choose('section'), choose('area')];
const titles = fc.oneof(
  { arbitrary: fc.constantFrom('One', 'Two', 'Three'), weight: 15 },
  { arbitrary: fc.constant(' '), weight: 1 },
);
const recurrences: fc.Arbitrary<SentTask['recurrence']> = fc.constantFrom(
  null,
  { frequency: 'daily' },
  { frequency: 'daily', interval: 3, fromCompletion: true },
  { frequency: 'weekly' },
  { frequency: 'weekly', interval: 2, weekdays: ['thursday', 'monday'] },
  { frequency: 'weekly', weekdays: ['sunday', 'tuesday'], fromCompletion: true },
  { frequency: 'monthly' },
  { frequency: 'yearly', fromCompletion: true },
);
/** Of a task that does not repeat, most of them are refused. */
const rulePatches: fc.Arbitrary<RulePatch> = fc.constantFrom<RulePatch[]>(
  {},
  { interval: 2 },
  { interval: null, fromCompletion: true },
  { weekdays: ['tuesday', 'friday'] },
  { weekdays: null },
  { frequency: 'weekly', weekdays: ['friday'], fromCompletion: null },
);
const items = fc.constantFrom<SentTask['checklist'][]>(
  [],
  [{ title: 'Ticked', completed: true }],
  [{ title: 'Ticked', completed: true }, { title: 'Plain' }],
);
const lists = fc.constantFrom<ListName>('inbox', 'someday', 'project');
const places: fc.Arbitrary<Destination> = fc.oneof(
  fc.record({ list: lists }),
  fc.record({ projectId: project }),
  fc.record({ projectId: project }),
  fc.record({ sectionId: section }),
  fc.record({ projectId: project, sectionId: fc.oneof(section, fc.constant(null)) }),
  fc.constant({ sectionId: null }),
  fc.record({ list: lists, projectId: project }),
);

/** Any of the members may be missing. */
const some = <Model>(model: { [Key in keyof Model]: fc.Arbitrary<Model[Key]> }) =>
  fc.record(model, { requiredKeys: [] });
/** An operation with these members. */
const doing = <Do extends Operation['do'], Rest extends object>(name: Do, rest: Rest) => ({
  do: fc.constant(name),
  ...rest,
});

const onSections: fc.Arbitrary<Operation> = fc.oneof(
  { arbitrary: fc.record(doing('create section', { projectId: project, title: titles })), weight: 2 },
  {
    arbitrary: fc.record(
      doing('patch section', {
        id: section,
        projectId: fc.constant(owner),
        patch: some({ title: titles, position: fc.nat(3) }),
      }),
    ),
    weight: 3,
  },
  {
    arbitrary: fc.record(
      doing('delete section', { id: section, projectId: fc.constantFrom(owner, owner, 'project?0') }),
    ),
    weight: 1,
  },
);

const onAreas: fc.Arbitrary<Operation> = fc.oneof(
  fc.record(doing('create area', { title: titles })),
  fc.record(doing('patch area', { id: area, patch: some({ title: titles }) })),
  fc.record(doing('delete area', { id: area })),
);

/** What only tasks in a certain state can show. */
const onRareTasks: fc.Arbitrary<Operation> = fc.oneof(
  fc.record(doing('restore task', { id: choose('trashed') })),
  fc.record({
    do: fc.constantFrom('uncomplete task' as const, 'uncancel task' as const),
    id: choose('closed'),
  }),
  fc.record({ do: fc.constantFrom('complete task' as const, 'skip task' as const), id: choose('repeating') }),
  fc.record(doing('trash task', { id: choose('divided') })),
);

const accountChanges = fc.record(
  doing('change account', {
    plan: fc.constantFrom('free' as const, 'premium' as const),
    timezone: fc.constantFrom(...timezones),
  }),
  { requiredKeys: ['do'] },
);

/** Whatever a client may try with an account on the day `today`. */
export function operationsOn(today: string): fc.Arbitrary<Operation> {
  const dated = datedFields(today);
  const fields = some({
    ...dated,
    recurrence: fc.oneof(dated.recurrence, rulePatches),
    title: fc.oneof({ arbitrary: titles, weight: 15 }, { arbitrary: fc.constant(null), weight: 1 }),
  }) as fc.Arbitrary<TaskPatch>;
  const misplaced = fc.record({ projectId: project });
  const patch = fc.oneof({ arbitrary: fields, weight: 12 }, { arbitrary: misplaced, weight: 1 });
  return fc.oneof(
    { arbitrary: taskCreations(today), weight: 6 },
    { arbitrary: fc.record(doing('patch task', { id: task, patch })), weight: 4 },
    { arbitrary: fc.record(doing('move task', { id: task, destination: places })), weight: 3 },
    { arbitrary: fc.record({ do: fc.constantFrom(...taskTransitions), id: task }), weight: 5 },
    { arbitrary: onRareTasks, weight: 6 },
    { arbitrary: onProjects(dated.deadlineDate), weight: 7 },
    { arbitrary: onSections, weight: 6 },
    { arbitrary: onAreas, weight: 3 },
    { arbitrary: accountChanges, weight: 1 },
  );
}

/** What fills an empty account. */
export function beginningsOn(today: string): fc.Arbitrary<Operation> {
  const newProject = fc.record(doing('create project', { fields: fc.record({ title: titles }) }));
  const newSection = fc.record(
    doing('create section', { projectId: fc.constant('project?0'), title: titles }),
  );
  return fc.oneof(
    { arbitrary: taskCreations(today), weight: 3 },
    { arbitrary: newProject, weight: 2 },
    { arbitrary: newSection, weight: 3 },
    { arbitrary: fc.record(doing('create area', { title: titles })), weight: 1 },
  );
}

function datedFields(today: string) {
  const inDays = (days: number): string => dateOf(dayNumber(today) + days);
  return {
    description: fc.constantFrom(null, '', 'notes'),
    dueDate: fc.constantFrom(null, inDays(-3), inDays(-1), inDays(0), inDays(1), inDays(72)),
    deadlineDate: fc.constantFrom(null, inDays(0), inDays(5)),
    // Without a start date it is refused.
    reminderTime: fc.constantFrom(null, null, null, '09:30'),
    recurrence: recurrences,
    checklist: items,
  };
}

function taskCreations(today: string): fc.Arbitrary<Operation> {
  const place = fc.oneof(fc.constant({}), places);
  return fc.tuple(titles, some(datedFields(today)), place).map(([title, fields, destination]) => ({
    do: 'create task',
    fields: { title, ...fields, ...(destination as SentTask) },
  }));
}

function onProjects(deadlineDate: fc.Arbitrary<string | null>): fc.Arbitrary<Operation> {
  const creation = fc.record({ title: titles, areaId: area, deadlineDate }, { requiredKeys: ['title'] });
  const patch = some({
    title: titles,
    description: fc.constantFrom(null, 'notes'),
    deadlineDate,
    areaId: fc.oneof(area, fc.constant(null)),
  });
  return fc.oneof(
    fc.record(doing('create project', { fields: creation })),
    fc.record(doing('patch project', { id: project, patch })),
    fc.record(
      doing('complete project', {
        id: project,
        completeChildTasks: fc.constantFrom(undefined, false, true),
      }),
    ),
    fc.record({ do: fc.constantFrom('uncomplete project' as const, 'trash project' as const), id: project }),
  );
}
