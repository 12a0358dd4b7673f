import test from 'ava';
import type { Page, Project, Task } from '#tests/support/api-types.ts';
import { startStack } from '#tests/support/stack.ts';
import type { FeedRow } from './compare-moments.ts';
import type { Intention } from './intentions.ts';
import { HistoryDiffers, runHistory } from './run-history.ts';
import type { WireRequest, WireResponse } from './send-operation.ts';
import { openStackAccount } from './stack-account.ts';

/* The comparison with the model notices every kind of difference: each of these services tells one thing wrongly. */

const stack = await startStack(test, { now: '2026-11-20T10:30:00Z' });

const history: Intention[] = [
  { do: 'create area', title: 'Area' },
  { do: 'create project', title: 'Project', area: 0 },
  { do: 'create section', project: 0, title: 'Section' },
  {
    do: 'create task',
    title: 'One',
    fields: { dueDate: '2026-11-20', recurrence: { frequency: 'daily' } },
    place: {},
  },
  { do: 'create task', title: 'Two', fields: {}, place: { section: 0 } },
  { do: 'create task', title: 'Three', fields: {}, place: { project: 0 } },
  { do: 'complete task', task: 0 },
  { do: 'trash task', task: 1 },
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
  'an answer has another status': {
    answer: ({ path }, response) => {
      if (path.endsWith('/complete')) response.status = 201;
    },
  },
  'an answer shows another date': {
    answer: ({ path }, { body }) => {
      if (path.endsWith('/complete')) (body as Task).dueDate = '2026-11-22';
    },
  },
  'a list lacks a task': { answer: inList<Task>('/tasks?view=logbook', (items) => items.pop()) },
  'a list shows a task twice': {
    answer: inList<Task>('/tasks?view=trash', (items) => items.push(...items.slice(0, 1))),
  },
  'a list has another order': { answer: inList<Task>('/tasks?view=all&limit', (items) => items.reverse()) },
  'a task shows another field': {
    answer: inList<Task>('/tasks?view=someday', (items) => Object.assign(items[0] ?? {}, { title: 'Other' })),
  },
  'a project has lost its section': {
    answer: inList<Project>('/projects?&limit', (items) => Object.assign(items[0] ?? {}, { sections: [] })),
  },
  'a write left updatedAt as it was': {
    answer: inList<Task>('/tasks?view=all&limit', (items) => {
      for (const task of items) task.updatedAt = task.createdAt;
    }),
  },
  'updatedAt changed without a write': {
    answer: inList<Project>('/projects?&limit', (items) => {
      for (const project of items) project.updatedAt = '2199-01-01T00:00:00.000Z';
    }),
  },
  'the feed lacks an entry': { feed: (rows) => rows.splice(3, 1) },
  'the feed has a gap': {
    feed: (rows) => {
      for (const row of rows.slice(4)) row.sequence += 1;
    },
  },
  'the feed tells of another change': { feed: (rows) => Object.assign(rows[2] ?? {}, { change: 'deleted' }) },
  'the instants of the feed fall': {
    feed: (rows) => Object.assign(rows[1] ?? {}, { changedAt: '1999-01-01T00:00:00.000Z' }),
  },
};

test('a service that tells the truth agrees with the model', async (t) => {
  t.is(await runWith({}), undefined);
});

for (const [what, lie] of Object.entries(lies)) {
  test(`the comparison notices that ${what}`, async (t) => {
    t.regex((await runWith(lie)) ?? '', /\nafter\n/);
  });
}
