import fc from 'fast-check';
import type { ListName } from '#tests/support/api-types.ts';
import type { TaskFields } from '#tests/support/factories.ts';
import { greatestChoice, type Intention, type PlaceWish } from './intentions.ts';
import { type RulePatch, taskTransitions } from './operation.ts';
import { dateOf, dayNumber } from './repeating-series.ts';

/** Where it may be yesterday, today and tomorrow at one instant. */
const timezones = ['Pacific/Pago_Pago', 'Europe/Berlin', 'Pacific/Kiritimati'];

const choice = fc.nat(greatestChoice);
const titles = fc.oneof(
  { arbitrary: fc.constantFrom('One', 'Two', 'Three'), weight: 15 },
  { arbitrary: fc.constant(' '), weight: 1 },
);
/** Without a start date it is refused. */
const reminders = fc.constantFrom(null, null, null, '09:30');
const recurrences: fc.Arbitrary<TaskFields['recurrence']> = fc.constantFrom(
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
const items = fc.constantFrom<TaskFields['checklist'][]>(
  [],
  [{ title: 'Ticked', completed: true }],
  [{ title: 'Ticked', completed: true }, { title: 'Plain' }],
);

const places: fc.Arbitrary<PlaceWish> = fc.oneof(
  fc.record({ list: fc.constantFrom<ListName>('inbox', 'someday', 'project') }),
  fc.record({ project: choice }),
  fc.record({ project: choice }),
  fc.record({ section: choice }),
  fc.record({ project: choice, section: fc.oneof(choice, fc.constant(null)) }),
  fc.constant({ section: null }),
  fc.record({ list: fc.constantFrom<ListName>('someday', 'project'), project: choice }),
);

const misplacedPatch = fc.record({
  do: fc.constant('patch task' as const),
  task: choice,
  patch: fc.record({ project: choice }),
});
const move = fc.record({ do: fc.constant('move task' as const), task: choice, place: places });
const transition = fc.record({ do: fc.constantFrom(...taskTransitions), task: choice });

const onSectionsAndAreas = fc.oneof(
  fc.record({ do: fc.constant('create section' as const), project: choice, title: titles }),
  fc.record({
    do: fc.constant('patch section' as const),
    section: choice,
    patch: fc.record({ title: titles, position: fc.nat(3) }, { requiredKeys: [] }),
  }),
  fc.record(
    { do: fc.constant('delete section' as const), section: choice, elsewhere: choice },
    {
      requiredKeys: ['do', 'section'],
    },
  ),
  fc.record({ do: fc.constant('create area' as const), title: titles }),
  fc.record({
    do: fc.constant('patch area' as const),
    area: choice,
    patch: fc.record({ title: titles }, { requiredKeys: [] }),
  }),
  fc.record({ do: fc.constant('delete area' as const), area: choice }),
);

const accountChanges = fc.record(
  {
    do: fc.constant('change account' as const),
    plan: fc.constantFrom('free' as const, 'premium' as const),
    timezone: fc.constantFrom(...timezones),
  },
  { requiredKeys: ['do'] },
);

/** What anybody may try with an account on the day `today`, whatever is in it. */
export function intentionsOn(today: string): fc.Arbitrary<Intention> {
  const dated = datedFields(today);
  const patches = fc.record({
    do: fc.constant('patch task' as const),
    task: choice,
    patch: fc.record(
      {
        ...dated,
        recurrence: fc.oneof(dated.recurrence, rulePatches),
        title: fc.oneof({ arbitrary: titles, weight: 15 }, { arbitrary: fc.constant(null), weight: 1 }),
      },
      { requiredKeys: [] },
    ),
  });
  const moves = fc.oneof({ arbitrary: move, weight: 9 }, { arbitrary: misplacedPatch, weight: 1 });
  return fc.oneof(
    { arbitrary: taskCreations(today), weight: 6 },
    { arbitrary: patches, weight: 4 },
    { arbitrary: moves, weight: 3 },
    { arbitrary: transition, weight: 8 },
    { arbitrary: onProjects(dated.deadlineDate), weight: 7 },
    { arbitrary: onSectionsAndAreas, weight: 5 },
    { arbitrary: accountChanges, weight: 1 },
  );
}

/** What makes an account worth trying things with. */
export function beginningsOn(today: string): fc.Arbitrary<Intention> {
  const first = { project: fc.constant(0), title: titles };
  return fc.oneof(
    { arbitrary: taskCreations(today), weight: 3 },
    { arbitrary: fc.record({ do: fc.constant('create project' as const), title: titles }), weight: 2 },
    { arbitrary: fc.record({ do: fc.constant('create section' as const), ...first }), weight: 1 },
    { arbitrary: fc.record({ do: fc.constant('create area' as const), title: titles }), weight: 1 },
  );
}

function datedFields(today: string) {
  const inDays = (days: number): string => dateOf(dayNumber(today) + days);
  return {
    description: fc.constantFrom(null, '', 'notes'),
    dueDate: fc.constantFrom(null, inDays(-3), inDays(-1), inDays(0), inDays(1), inDays(72)),
    deadlineDate: fc.constantFrom(null, inDays(0), inDays(5)),
    reminderTime: reminders,
    recurrence: recurrences,
    checklist: items,
  };
}

function taskCreations(today: string): fc.Arbitrary<Intention> {
  return fc.record({
    do: fc.constant('create task' as const),
    title: titles,
    fields: fc.record(datedFields(today), { requiredKeys: [] }),
    place: fc.oneof(fc.constant({}), places),
  });
}

function onProjects(deadlines: fc.Arbitrary<string | null>): fc.Arbitrary<Intention> {
  const creation = {
    do: fc.constant('create project' as const),
    title: titles,
    area: choice,
    deadlineDate: deadlines,
  };
  const fields = { title: titles, description: fc.constantFrom(null, 'notes'), deadlineDate: deadlines };
  const patch = {
    do: fc.constant('patch project' as const),
    project: choice,
    patch: fc.record(fields, { requiredKeys: [] }),
    area: fc.oneof(choice, fc.constant(null)),
  };
  return fc.oneof(
    fc.record(creation, { requiredKeys: ['do', 'title'] }),
    fc.record(patch, { requiredKeys: ['do', 'project', 'patch'] }),
    fc.record({
      do: fc.constant('complete project' as const),
      project: choice,
      completeChildTasks: fc.constantFrom(undefined, false, true),
    }),
    fc.record({
      do: fc.constantFrom('uncomplete project' as const, 'trash project' as const),
      project: choice,
    }),
  );
}
