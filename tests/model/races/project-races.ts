import type { Project, Task } from '#tests/support/api-types.ts';
import { readList } from '../observed-account.ts';
import { expectBody, openContenders, type Race, type RaceWorld } from './race.ts';

/** A project is completed while others add, move and reopen tasks in it: no open task is left in a closed project. */
export function projectClosings(rounds: number): Race {
  return async (world) => {
    const misses: string[] = [];
    let admitted = 0;
    for (let round = 0; round < rounds; round += 1) {
      const { entered, left } = await closeWhileFilling(world, round % 2 === 0);
      admitted += entered;
      if (left > 0) misses.push(`${left} open tasks in a completed project`);
    }
    return { figures: { projectClosings: rounds, tasksThatCameInTime: admitted }, misses };
  };
}

async function closeWhileFilling(world: RaceWorld, completeChildTasks: boolean) {
  const contenders = await openContenders(world, { clients: 6 });
  const [closer, mover, ...adders] = contenders.clients;
  if (closer === undefined || mover === undefined) throw new Error('too few clients');
  try {
    const post = (send: typeof closer, path: string, body?: unknown) => send({ method: 'POST', path, body });
    const project = await expectBody<Project>(post(closer, '/projects', { title: 'Closes' }), 201);
    const task = await expectBody<Task>(post(closer, '/tasks', { title: 'Comes' }), 201);
    const [, moved, ...added] = await Promise.all([
      post(closer, `/projects/${project.id}/complete`, { completeChildTasks }),
      post(mover, `/tasks/${task.id}/move`, { projectId: project.id }),
      ...adders.map((send) => post(send, '/tasks', { title: 'Added', projectId: project.id })),
    ]);
    const inside = await readList<Task>(closer, `/projects/${project.id}/tasks?view=all`);
    const entered = [moved, ...added].filter((answer) => answer && answer.status < 300).length;
    return { entered, left: inside.filter(({ status }) => status === 'open').length };
  } finally {
    contenders.close();
  }
}

/** Patches of different fields at once: each is kept. */
export function fieldPatches(rounds: number): Race {
  return async (world) => {
    const wanted = {
      title: 'Patched',
      description: 'notes',
      dueDate: '2199-01-01',
      deadlineDate: '2199-02-01',
      checklist: [{ title: 'Item' }],
    };
    const contenders = await openContenders(world, { clients: 5, requestsEach: 3 * rounds });
    const [first] = contenders.clients;
    const misses: string[] = [];
    try {
      for (let round = 0; first && round < rounds; round += 1) {
        const body = { title: 'New' };
        const { id } = await expectBody<Task>(first({ method: 'POST', path: '/tasks', body }), 201);
        const patch = ([field, value]: [string, unknown], index: number) =>
          contenders.clients[index]?.({ method: 'PATCH', path: `/tasks/${id}`, body: { [field]: value } });
        await Promise.all(Object.entries(wanted).map(patch));
        const stored = await expectBody<Task>(first({ method: 'GET', path: `/tasks/${id}` }), 200);
        misses.push(...lostFields(wanted, stored));
      }
    } finally {
      contenders.close();
    }
    return { figures: { fieldPatches: 5 * rounds }, misses };
  };
}

/** The fields of which a patch was lost. */
export function lostFields(wanted: object, stored: Task): string[] {
  return Object.entries(wanted).flatMap(([field, value]) => {
    const shown =
      field === 'checklist' ? stored.checklist.map(({ title }) => ({ title })) : Reflect.get(stored, field);
    return JSON.stringify(shown) === JSON.stringify(value) ? [] : [`the patch of ${field} was lost`];
  });
}
