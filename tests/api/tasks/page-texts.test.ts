import test from 'ava';
import { idsOf, walkPages } from '#tests/api/projects/walk-pages.ts';
import type { Page, Project, Task } from '#tests/support/api-types.ts';
import { makeProject, makeSection, makeTask, makeTasks } from '#tests/support/factories.ts';
import { startStack } from '#tests/support/stack.ts';

const stack = await startStack(test);

const longNotes = '\u{1F600}'.repeat(100_000);

const longItems = Array.from({ length: 200 }, () => ({ title: '\u{1F4A1}'.repeat(1_024) }));

/** A page is above its room by one row at most, and no row is larger than the largest task. */
const mostBytes = 2_000_000 + 4_500_000;

const sizeOf = (page: Page<unknown>): number => Buffer.byteLength(JSON.stringify(page));

test('pages of the longest notes are limited by size, and paging returns every task once', async (t) => {
  const api = await stack.newClient();
  const made = await makeTasks(api, 12, { description: longNotes });
  const { body: first } = await api.get<Page<Task>>('/tasks?limit=200');
  t.true(first.items.length > 1 && first.items.length < 12, String(first.items.length));
  t.true(first.hasMore);
  t.true(sizeOf(first) < mostBytes);
  const walked = await walkPages<Task>(api, '/tasks', { limit: '200' });
  t.deepEqual(
    idsOf(walked),
    made.map(({ id }) => id),
  );
  t.true(walked.every(({ items }) => items.every(({ description }) => description === longNotes)));
});

test('long checklists end a page too, whether they can be compressed or not', async (t) => {
  const api = await stack.newClient();
  const { id: projectId } = await makeProject(api);
  const random = () => Buffer.from(crypto.getRandomValues(new Uint8Array(500))).toString('hex');
  for (let count = 0; count < 4; count += 1) {
    await makeTask(api, { projectId, checklist: longItems });
    await makeTask(api, { projectId, checklist: longItems.map(() => ({ title: random() })) });
  }
  const { body: first } = await api.get<Page<Task>>(`/projects/${projectId}/tasks`);
  t.true(first.hasMore && first.items.length < 8);
  t.true(sizeOf(first) < mostBytes);
  const walked = await walkPages<Task>(api, `/projects/${projectId}/tasks`, {});
  t.is(new Set(idsOf(walked)).size, 8);
  t.true(walked.every(({ items }) => items.every(({ checklist }) => checklist.length === 200)));
});

test('a few long notes among short ones shorten no page', async (t) => {
  const api = await stack.newClient();
  await makeTask(api, { description: longNotes });
  await makeTasks(api, 5, { description: 'short' });
  await makeTask(api, { checklist: longItems.slice(0, 50) });
  const { body } = await api.get<Page<Task>>('/tasks');
  t.false(body.hasMore);
  t.is(body.nextCursor, null);
  t.is(body.items.length, 7);
  t.true(body.items[0]?.description === longNotes);
  t.is(body.items[6]?.checklist.length, 50);
});

test('a page of projects ends with their notes and sections, too', async (t) => {
  const api = await stack.newClient({ plan: 'premium' });
  const made: Project[] = [];
  for (let count = 0; count < 8; count += 1) made.push(await makeProject(api, { description: longNotes }));
  const divided = await makeProject(api);
  await makeSection(api, divided.id, { title: 'S'.repeat(1_024) });
  const { body: first } = await api.get<Page<Project>>('/projects');
  t.true(first.hasMore && first.items.length < 9);
  t.true(sizeOf(first) < mostBytes);
  const walked = await walkPages<Project>(api, '/projects', {});
  const projects = walked.flatMap(({ items }) => items);
  const expected = [divided, ...made].map(({ id }) => id);
  t.deepEqual(projects.map(({ id }) => id).toSorted(), expected.toSorted());
  t.is(projects.find(({ id }) => id === divided.id)?.sections.length, 1);
});
