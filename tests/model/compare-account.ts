import type { Task } from '#tests/support/api-types.ts';
import { type AccountState, isActive, type Kind, type TaskState } from './account-state.ts';
import { inOrder, tasksInView, type ViewName, viewNames } from './expected-views.ts';
import type { ObservedAccount } from './observed-account.ts';
import { asText, expectedOf, type Said, saidOf, type Wire, type WireNames, wireName } from './wire-names.ts';

/** Where an account and the model of it differ, in words; empty when they do not. Moments are compared elsewhere. */
export function accountDifferences(
  state: AccountState,
  names: WireNames,
  observed: ObservedAccount,
  today: string,
): string[] {
  const wireId = (id: string) => wireName(names, id);
  const say = (kind: Kind) => (resource: { id: string }) => expectedOf(state, names, kind, resource.id);
  const projects = Object.values(state.project).filter(({ inTrash }) => !inTrash);
  const closed = projects.filter((project) => !isActive(project));
  const all = tasksInView(state, 'all', today);

  const inArea = (areaId: string) =>
    all.filter(({ projectId }) => projectId !== null && state.project[projectId]?.areaId === areaId);
  return [
    ...viewNames.flatMap((view) => viewDifferences(state, names, observed.views[view], view, today)),
    ...listDifferences('projects', projects.map(say('project')), observed.projects.map(said('project'))),
    ...listDifferences(
      'completed projects',
      closed.map(say('project')),
      observed.completedProjects.map(said('project')),
    ),
    ...listDifferences('areas', Object.values(state.area).map(say('area')), observed.areas.map(said('area'))),
    ...projects.flatMap((project) => {
      const tasks = tasksInView(state, 'none', today).filter(({ projectId }) => projectId === project.id);
      const shown = observed.projectTasks[wireId(project.id)] ?? [];
      return rankedDifferences(
        `tasks of ${project.id}`,
        state,
        names,
        inOrder(tasks, 'inbox', wireId),
        shown,
      );
    }),
    ...Object.keys(state.area)
      .filter((id) => !inArea(id).some(({ projectId }) => projectId && state.project[projectId]?.inTrash))
      .flatMap((id) =>
        listDifferences(
          `tasks of ${id}`,
          inOrder(inArea(id), 'all', wireId).map(say('task')),
          (observed.areaTasks[wireId(id)] ?? []).map(said('task')),
        ),
      ),
  ];
}

function said<K extends Kind>(kind: K): (body: Wire[K]) => Said {
  return (body) => saidOf(kind, body);
}

function viewDifferences(
  state: AccountState,
  names: WireNames,
  shown: readonly Task[],
  view: ViewName,
  today: string,
): string[] {
  const wireId = (id: string) => wireName(names, id);
  const expected = inOrder(tasksInView(state, view, today), view, wireId);
  if (view === 'inbox' || view === 'someday') return rankedDifferences(view, state, names, expected, shown);
  const wanted = expected.map(({ id }) => expectedOf(state, names, 'task', id));
  return listDifferences(`view ${view}`, wanted, shown.map(said('task')));
}

/** A list by rank: tasks without a known rank may stand anywhere in it. */
function rankedDifferences(
  list: string,
  state: AccountState,
  names: WireNames,
  expected: readonly TaskState[],
  shown: readonly Task[],
): string[] {
  const saying = (tasks: readonly TaskState[]) => tasks.map(({ id }) => expectedOf(state, names, 'task', id));
  const unranked = new Set(expected.filter(({ rank }) => rank === null).map(({ id }) => wireName(names, id)));
  const sorted = (texts: readonly Said[]) =>
    texts.toSorted((one, other) => (asText(one) < asText(other) ? -1 : 1));
  return [
    ...listDifferences(`${list}, members`, sorted(saying(expected)), sorted(shown.map(said('task')))),
    ...listDifferences(
      `${list}, order`,
      saying(expected.filter(({ rank }) => rank !== null)),
      shown.filter(({ id }) => !unranked.has(id)).map(said('task')),
    ),
  ];
}

function listDifferences(list: string, expected: readonly Said[], shown: readonly Said[]): string[] {
  if (asText(expected) === asText(shown)) return [];
  const index = expected.findIndex((said, position) => asText(said) !== asText(shown[position]));
  const at = index === -1 ? expected.length : index;
  return [
    `${list}: ${expected.length} expected, ${shown.length} shown; at ${at} expected ${asText(expected[at])}, shown ${asText(shown[at])}`,
  ];
}
