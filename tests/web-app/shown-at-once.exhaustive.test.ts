import { isDeepStrictEqual } from 'node:util';
import test from 'ava';
import type { AppSnapshot } from '#shared/app/app-protocol.ts';
import { seededRandom } from '#tests/app/random-change.ts';
import { startWebApps } from '#tests/app/web-app-client.ts';
import { startStack } from '#tests/support/stack.ts';
import { waitFor } from '#tests/support/wait-for.ts';
import type { OpenStore } from '#web-app/store/create-store.ts';
import { viewProject } from '#web-app/store/project-view.ts';
import { viewUpcoming } from '#web-app/store/upcoming-view.ts';
import { openDevice } from './open-device.ts';
import { actEvenly } from './random-acts.ts';

const { stack, webApps } = await startWebApps(test, startStack(undefined));

// Each look reads everything.
const patience = { timeoutMilliseconds: 30_000, intervalMilliseconds: 100 };
const rounds = 120;

/** Titles of each list's open tasks and each area's projects, in order. Next dates are the server's. */
function shownLists({ rows, views }: OpenStore) {
  const isShown = (id: string) => {
    const task = rows.tasks.find(id);
    return task?.status === 'open' && !task.inTrash && task.recurrence === null;
  };
  const tasks = (ids: readonly string[]) => ids.filter(isShown).map((id) => rows.tasks.find(id)?.title ?? id);
  const projects = (areaId: string | null) =>
    views.area(areaId).value.open.map((id) => {
      const { root, sections } = views.of((input) => viewProject(input, rows.sections.all(), id)).value;
      const inSections = sections.map((each) => [rows.sections.find(each.id)?.title, tasks(each.ids)]);
      return [rows.projects.find(id)?.title, tasks(root), inSections];
    });
  const { today, inbox, anytime, someday, areas } = views;
  const upcoming = views.of((input) => viewUpcoming(input, views.deadlines.value));
  return {
    overdue: tasks(today.value.overdue),
    today: tasks(today.value.today),
    upcoming: upcoming.value.flatMap((group) => ('ids' in group ? tasks(group.ids) : [])),
    inbox: tasks(inbox.value),
    anytime: anytime.value.flatMap(({ ids }) => tasks(ids)),
    someday: tasks(someday.value),
    projects: projects(null),
    areas: areas.value.map((id) => [rows.areas.find(id)?.title, projects(id)]),
  };
}

const versions = (rows: Iterable<{ id: string; updatedAt: string; rank: number }>) =>
  [...rows].map(({ id, updatedAt, rank }) => `${id} ${updatedAt} ${rank}`).sort();

const isListed = ({ status, inTrash }: { status: string; inTrash: boolean }) =>
  !inTrash && (status === 'open' || status === 'active');

/** Reopening a task restores the repeat that its closing ended: the response has it. */
const countRepeats = ({ rows }: OpenStore) =>
  [...rows.tasks.shown.values()].filter(({ recurrence }) => recurrence !== null).length;

/** What these bring back is known with the answer. */
const isLate = (kind: string | undefined) => kind === 'undo' || kind === 'redo' || kind === 'restore';

test('what a command shows before the answer is what it shows after it, in the same order', async (t) => {
  const client = await webApps.open({ plan: 'premium' });
  const device = await openDevice(t, stack.baseUrl, client);
  const { store } = device;
  const random = seededRandom(Number(process.env.SHOWN_SEED ?? 4));
  const isCurrent = async () => {
    if (store.connection.value !== 'online' || store.waitingCount.value > 0) return false;
    const { tasks, projects, sections, areas } = (await client.app.get<AppSnapshot>('/snapshot')).body;
    const { rows } = store;
    return isDeepStrictEqual(
      [
        versions([...rows.tasks.shown.values()].filter(isListed)),
        versions([...rows.projects.shown.values()].filter(isListed)),
        versions(rows.sections.shown.values()),
        versions(rows.areas.shown.values()),
      ],
      [
        versions(tasks.filter(isListed)),
        versions(projects.filter(isListed)),
        versions(sections),
        versions(areas),
      ],
    );
  };
  for (let round = 0; round < rounds; round += 1) {
    device.setOnline(false);
    const kind = actEvenly(store, random, `task ${round}`);
    await store.settled();
    const [shown, repeats] = [shownLists(store), countRepeats(store)];
    device.setOnline(true);
    await waitFor(isCurrent, patience);
    if (!isLate(kind) && countRepeats(store) === repeats)
      t.deepEqual(shownLists(store), shown, `round ${round}`);
  }
});
