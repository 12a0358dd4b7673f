import test from 'ava';
import type { Page, Project, Task } from '#tests/support/api-types.ts';
import { startStack } from '#tests/support/stack.ts';
import type { FeedRow } from './compare-moments.ts';
import type { Operation } from './operation.ts';
import { HistoryDiffers, runHistory } from './run-history.ts';
import type { WireRequest, WireResponse } from './send-operation.ts';
import { openStackAccount } from './stack-account.ts';

/* The comparison with the model notices every kind of difference: each of these services tells one thing wrongly. */

const stack = await startStack(test, { now: '2026-11-20T10:30:00Z' });

const history: Operation[] = [
  { do: 'create project', fields: { title: 'Project' } },
  { do: 'create section', projectId: 'project?0', title: 'Section' },
  { do: 'create task', fields: { title: 'One', dueDate: '2026-11-20', recurrence: { frequency: 'daily' } } },
  { do: 'create task', fields: { title: 'Two', sectionId: 'section?0' } },
  { do: 'create task', fields: { title: 'Three', projectId: 'project?0' } },
  { do: 'complete task', id: 'task?0' },
  { do: 'trash task', id: 'task?1' },
];

type Lie = { answer?(request: WireRequest, response: WireResponse): void; feed?(rows: FeedRow[]): void };

async function runWith(lie: Lie): Promise<string | undefined> {
  const account = await openStackAccount(stack, 'free');
  const lying = {
    ...account,
    async send(request: WireRequest) {
      const response = structuredClone(pick(await account.send(request)));
      lie.answer?.(request, response);
      return response;
    },
    async readFeed() {
      const rows = await account.readFeed();
      lie.feed?.(rows);
      return rows;
    },
  };
  try {
    await runHistory(lying, history);
    return undefined;
  } catch (error) {
    if (error instanceof HistoryDiffers) return error.message;
    throw error;
  }
}

function pick({ status, body }: WireResponse): WireResponse {
  return { status, body };
}

const inList =
  <Item>(prefix: string, change: (items: Item[]) => void): Lie['answer'] =>
  ({ method, path }, { body }) => {
    if (method === 'GET' && path.startsWith(prefix)) change((body as Page<Item>).items);
  };

const lies: Record<string, Lie> = {
  'an answer shows another date': {
    answer: ({ path }, { body }) => {
      if (path.endsWith('/complete')) (body as Task).dueDate = '2026-11-22';
    },
  },
  'a list lacks a task': { answer: inList<Task>('/tasks?view=logbook', (items) => items.pop()) },
  'a list has another order': { answer: inList<Task>('/tasks?view=all&limit', (items) => items.reverse()) },
  'a project has lost its section': {
    answer: inList<Project>('/projects?&limit', (items) => Object.assign(items[0] ?? {}, { sections: [] })),
  },
  'a write left updatedAt as it was': {
    answer: inList<Task>('/tasks?view=all&limit', (items) => {
      for (const task of items) task.updatedAt = task.createdAt;
    }),
  },
  'the feed lacks an entry': { feed: (rows) => rows.splice(3, 1) },
  'the feed tells of another change': { feed: (rows) => Object.assign(rows[2] ?? {}, { change: 'deleted' }) },
};

test('a service that tells the truth agrees with the model', async (t) => {
  t.is(await runWith({}), undefined);
});

for (const [what, lie] of Object.entries(lies)) {
  test(`the comparison notices that ${what}`, async (t) => {
    t.regex((await runWith(lie)) ?? '', /\nafter\n/);
  });
}
