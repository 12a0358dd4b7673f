import fc from 'fast-check';
import type { ListName } from '#tests/support/api-types.ts';
import type { SentTask } from '#tests/support/factories.ts';
import { type AccountState, type Kind, kinds } from './account-state.ts';
import { type Destination, type Operation, type RulePatch, taskTransitions } from './operation.ts';
import { applyOperation } from './reference-model.ts';

/*
 * Random operations are made before it is known what an account holds. An id such as «task?3» becomes one of
 * its tasks when its turn comes: the one that changed last has number 0. So most operations go on with what
 * others have begun, and reach states that chance alone would rarely make. Plain data, so that a failing
 * history shrinks and prints.
 */

/** What chance alone would rarely choose. */
const rare: Record<string, (state: AccountState) => { id: string; updatedAt: number }[]> = {
  trashed: ({ task }) => Object.values(task).filter(({ trashedAt }) => trashedAt !== null),
  closed: ({ task }) => Object.values(task).filter(({ status }) => status !== 'open'),
  gone: ({ project }) => Object.values(project).filter(({ inTrash }) => inTrash),
};
const choicePattern = new RegExp(`^(${[...kinds, ...Object.keys(rare)].join('|')})\\?(\\d+)$`);
/** As `projectId` of an operation on a section: the project that the section is in. */
const owner = 'owner?';

/** The first operation of a step that changes something, if any, with its choices made among what exists. */
export function chooseOperation(state: AccountState, step: readonly Operation[], today: string): Operation {
  const [first, ...others] = step.map((operation) => chooseIds(state, operation));
  if (first === undefined) throw new Error('a step has operations');
  const changes = (operation: Operation) => applyOperation(state, operation, today).changes.length > 0;
  return [first, ...others].find(changes) ?? first;
}

function chooseIds(state: AccountState, wanted: Operation): Operation {
  const chosen: Operation = JSON.parse(JSON.stringify(wanted), (_, value) =>
    typeof value === 'string' ? choose(state, value) : value,
  );
  if (!('projectId' in chosen) || chosen.projectId !== owner) return chosen;
  const section = 'id' in chosen ? state.section[chosen.id] : undefined;
  return { ...chosen, projectId: section?.projectId ?? 'missing' };
}

function choose(state: AccountState, text: string): string {
  const [, name, number] = choicePattern.exec(text) ?? [];
  if (name === undefined) return text;
  const resources = rare[name]?.(state) ?? Object.values(state[name as Kind]);
  const sorted = resources.toSorted(
    (one, other) => Number(isGone(one)) - Number(isGone(other)) || other.updatedAt - one.updatedAt,
  );
  return sorted[Number(number) % sorted.length]?.id ?? 'missing';
}

/** Nothing brings a project back from the Trash. */
const isGone = (resource: object) => 'inTrash' in resource && resource.inTrash === true;

/** Any of these, each as often as its weight says. */
const some = <Value>(...weighted: [number, fc.Arbitrary<Value>][]) =>
  fc.oneof(...weighted.map(([weight, arbitrary]) => ({ weight, arbitrary })));

const latest = [0, 0, 0, 0, 0, 1, 1, 1, 2, 2, 3, 4, 5, 6, 7, 8];
const idOf = (name: string) => fc.constantFrom(...latest.map((number) => `${name}?${number}`), 'missing');
const [section, area, trashed, closed] = [idOf('section'), idOf('area'), idOf('trashed'), idOf('closed')];
const task = some([6, idOf('task')], [1, trashed], [1, closed]);
const project = some([12, idOf('project')], [1, idOf('gone')]);

/** Any of the members may be missing. */
const anyOf = <Model>(model: { [Key in keyof Model]: fc.Arbitrary<Model[Key]> }) =>
  fc.record(model, { requiredKeys: [] });

type Members<Do> = Omit<Extract<Operation, { do: Do }>, 'do'>;
/** An operation with these members. */
const doing = <Do extends Operation['do']>(
  name: Do,
  members: { [Key in keyof Members<Do>]-?: fc.Arbitrary<Members<Do>[Key]> },
) => fc.record({ do: fc.constant(name), ...members }) as fc.Arbitrary<unknown> as fc.Arbitrary<Operation>;

/** Where it may be yesterday, today and tomorrow at one instant. */
const timezones = fc.constantFrom('Pacific/Pago_Pago', 'Europe/Berlin', 'Pacific/Kiritimati');
const plans = fc.constantFrom('free' as const, 'free' as const, 'premium' as const);
const titles = fc.constantFrom('One', 'Two');
const recurrences = fc.constantFrom<SentTask['recurrence'][]>(
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
const rulePatches = fc.constantFrom<RulePatch[]>(
  {},
  { interval: 2 },
  { interval: null, fromCompletion: true },
  { weekdays: ['tuesday', 'friday'] },
  { weekdays: null },
  { frequency: 'monthly' },
  { frequency: 'weekly', weekdays: ['friday'], fromCompletion: null },
);
const lists = fc.constantFrom<ListName>('inbox', 'someday', 'project');
const places = fc.oneof<fc.Arbitrary<Destination>[]>(
  fc.record({ list: lists }),
  fc.record({ projectId: project }),
  fc.record({ sectionId: section }),
  fc.record({ projectId: project, sectionId: fc.oneof(section, fc.constant(null)) }),
  fc.constant({ sectionId: null }),
  fc.record({ list: lists, projectId: project }),
);

export const today = '2026-11-20';
const deadlineDate = fc.constantFrom(null, today, '2026-11-25');
type Items = SentTask['checklist'];
const fields = {
  description: fc.constantFrom(null, '', 'notes'),
  dueDate: fc.constantFrom(null, null, '2026-11-17', '2026-11-19', today, '2026-11-21', '2027-01-31'),
  deadlineDate,
  recurrence: recurrences,
  checklist: fc.constantFrom([], [{ title: 'Ticked', completed: true }, { title: 'Plain' }] as Items),
  reminderTime: fc.constantFrom(null, '09:30'),
};
const newTask = fc
  .tuple(titles, fc.oneof(fc.constant({}), anyOf(fields), fc.record(fields)), places, fc.nat(2))
  .map(([title, sent, place, chance]) => ({ title, ...sent, ...(chance > 0 && (place as SentTask)) }));
const patchable = {
  ...fields,
  title: titles,
  recurrence: fc.oneof(recurrences, rulePatches),
  checklist: fc.oneof(fields.checklist, fc.constant(null)),
};
const singlePatches = Object.entries(patchable).map(([name, value]) => fc.record({ [name]: value }));
const transitions = [...taskTransitions, 'complete task', 'skip task', 'trash task'] as const;
const reopenings = ['uncomplete task', 'uncancel task'] as const;
const projectTransitions = ['uncomplete project', 'uncomplete project', 'trash project'] as const;
const title = fc.record({ title: titles });
const newProject = fc.record({ title: titles, areaId: area, deadlineDate }, { requiredKeys: ['title'] });
const projectPatch = anyOf({
  title: titles,
  deadlineDate,
  description: fc.constantFrom(null, 'notes'),
  areaId: fc.oneof(area, fc.constant(null)),
});
const inOwner = fc.oneof(fc.constant(owner), fc.constant(owner), project);
const sectionPatch = anyOf({ title: titles, position: fc.nat(3) });

const operations = some(
  [60, doing('create task', { body: newTask })],
  [30, doing('patch task', { id: task, body: fc.oneof(...singlePatches) })],
  [30, doing('patch task', { id: task, body: anyOf(patchable) })],
  [25, doing('move task', { id: task, body: places })],
  [40, fc.record({ do: fc.constantFrom(...transitions), id: task })],
  [10, fc.record({ do: fc.constant('restore task' as const), id: trashed })],
  [10, fc.record({ do: fc.constantFrom(...reopenings), id: closed })],
  [15, doing('create project', { body: newProject })],
  [10, doing('patch project', { id: project, body: projectPatch })],
  [10, doing('complete project', { id: project, body: anyOf({ completeChildTasks: fc.boolean() }) })],
  [12, fc.record({ do: fc.constantFrom(...projectTransitions), id: project })],
  [13, doing('create section', { projectId: project, body: title })],
  [20, doing('patch section', { projectId: inOwner, id: section, body: sectionPatch })],
  [7, doing('delete section', { projectId: inOwner, id: section })],
  [6, doing('create area', { body: title })],
  [2, doing('patch area', { id: area, body: anyOf({ title: titles }) })],
  [2, doing('delete area', { id: area })],
  [10, fc.record({ do: fc.constant('change account' as const), plan: plans })],
  [10, fc.record({ do: fc.constant('change account' as const), timezone: timezones })],
);

/** Without projects, sections and areas most operations would be refused. */
const beginning: readonly Operation[] = [
  { do: 'create area', body: { title: 'First' } },
  { do: 'create project', body: { title: 'First', areaId: 'area?0' } },
  { do: 'create section', projectId: 'project?0', body: { title: 'First' } },
  { do: 'create project', body: { title: 'Second' } },
  { do: 'create section', projectId: 'project?0', body: { title: 'Second' } },
];

/** Steps of what clients may do with an account on the day `today`. */
export const histories: fc.Arbitrary<Operation[][]> = fc
  .array(fc.array(operations, { minLength: 1, maxLength: 3, size: 'max' }), {
    minLength: 50,
    maxLength: 50,
    size: 'max',
  })
  .map((steps) => [...beginning.map((operation) => [operation]), ...steps]);
