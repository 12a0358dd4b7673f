import type { AssistantClient } from '#tests/assistant/assistant-client.ts';
import { oneOf, type Pick, type Random } from './random-change.ts';

type MakeInput = (pick: Pick, random: Random) => object;

const dates = ['2026-11-20', '2026-11-24', '2026-12-31'];
const rules = [{ frequency: 'daily' }, { frequency: 'weekly', until: '2027-01-31' }, { interval: 2 }];

const someTasks = (pick: Pick, random: Random) =>
  Array.from({ length: 1 + Math.floor(random() * 3) }, () => pick('task'));

const place = (pick: Pick, random: Random) =>
  oneOf<object>(random, [
    { list: 'inbox' },
    { list: 'someday' },
    { project: pick('project') },
    { section: pick('section') },
  ]);

/** Calls of several entries are several transactions. */
const calls: readonly [tool: string, input: MakeInput][] = [
  [
    'add_tasks',
    (pick, random) => ({
      tasks: ['One', 'Two', 'Three'].map((title) => ({ title, ...place(pick, random) })),
    }),
  ],
  [
    'change_tasks',
    (pick, random) => ({
      changes: someTasks(pick, random).map((id) => ({
        id,
        notes: `Notes ${Math.floor(random() * 100)}`,
        ...(random() < 0.5 && { repeat: oneOf(random, rules), dueDate: oneOf(random, dates) }),
      })),
    }),
  ],
  [
    'reschedule_tasks',
    (pick, random) => ({
      tasks: someTasks(pick, random).map((id) =>
        random() < 0.2 ? { id, clear: ['dueDate'] } : { id, dueDate: oneOf(random, dates) },
      ),
    }),
  ],
  [
    'edit_checklists',
    (pick, random) => ({
      edits: someTasks(pick, random).map((id) =>
        oneOf<object>(random, [
          { id, add: [`Step ${Math.floor(random() * 100)}`] },
          { id, tick: ['step'] },
          { id, remove: ['step'] },
        ]),
      ),
    }),
  ],
  [
    'move_tasks',
    (pick, random) => {
      const destination = place(pick, random);
      return { moves: someTasks(pick, random).map((id) => ({ id, ...destination })) };
    },
  ],
  [
    'set_task_status',
    (pick, random) => ({
      ids: someTasks(pick, random),
      status: oneOf(random, ['completed', 'cancelled', 'open', 'open']),
    }),
  ],
  ['skip_occurrence', (pick, random) => ({ ids: someTasks(pick, random) })],
  ['trash_tasks', (pick, random) => ({ ids: someTasks(pick, random) })],
  ['restore_tasks', (pick, random) => ({ ids: someTasks(pick, random) })],
  ['save_projects', () => ({ projects: [{ title: 'New', newSections: ['First', 'Second'] }] })],
  [
    'set_project_status',
    (pick, random) => ({
      projects: [pick('project'), pick('project')],
      status: oneOf(random, ['completed', 'active', 'trashed', 'restored']),
    }),
  ],
  [
    'save_sections',
    (pick) => ({
      project: pick('project'),
      sections: [{ title: 'Last' }, { section: pick('section'), toProject: pick('project') }],
    }),
  ],
];

/** Tries one call; what the account does not allow is refused. */
export async function tryToolCall(assistant: AssistantClient, pick: Pick, random: Random): Promise<string> {
  const [tool, makeInput] = oneOf(random, calls);
  const input = makeInput(pick, random);
  await assistant.call(tool, input);
  return `${tool} ${JSON.stringify(input)}`;
}
