import type { AppSnapshot } from '../../../../shared/app/app-protocol.ts';
import { addDays } from '../dates/civil-date.ts';
import { createStore } from './create-store.ts';
import { createMemoryDisk } from './disk.ts';
import { rankStep } from './order.ts';
import type { ProjectRow, TaskRow } from './row-types.ts';
import type { Store } from './store.ts';
import { createSingleTab } from './tabs.ts';

/** An account in memory, without a server. */
export async function createSampleStore(): Promise<Store> {
  const account = {
    id: crypto.randomUUID(),
    email: 'you@example.com',
    timezone: Intl.DateTimeFormat().resolvedOptions().timeZone,
    plan: 'free',
    status: 'active',
  } as const;
  const empty = { areas: [], projects: [], sections: [], tasks: [], closedTaskCounts: {} };
  const snapshot: AppSnapshot = { ...empty, seq: 0, stamp: null, account };
  const answer = { status: 200, body: snapshot, retryAfterSeconds: null, requestId: null };
  const never = new Promise<never>(() => undefined);
  const store = await createStore({
    api: { send: ({ method }) => (method === 'GET' ? Promise.resolve(answer) : never), stream: () => never },
    disk: createMemoryDisk(),
    tabs: createSingleTab(),
    onFault: reportError,
  });
  store.setAccount(account);
  const at = new Date().toISOString();
  let rank = 0;
  const nextRank = () => {
    rank += rankStep;
    return rank;
  };
  const project = (title: string): ProjectRow => ({
    id: crypto.randomUUID(),
    title,
    description: null,
    descriptionHtml: '',
    hasLongNotes: false,
    status: 'active',
    areaId: null,
    deadlineDate: null,
    inTrash: false,
    completedAt: null,
    cancelledAt: null,
    createdAt: at,
    updatedAt: at,
    rank: nextRank(),
  });
  const task = (title: string, days: number | null, projectId: string | null = null): TaskRow => ({
    id: crypto.randomUUID(),
    title,
    status: 'open',
    list: projectId === null ? (days === null ? 'inbox' : 'someday') : 'project',
    projectId,
    sectionId: null,
    dueDate: days === null ? null : addDays(store.today.value, days),
    deadlineDate: null,
    reminderTime: null,
    recurrence: null,
    inTrash: false,
    completedAt: null,
    cancelledAt: null,
    createdAt: at,
    updatedAt: at,
    hasNotes: false,
    checklistTotal: 0,
    checklistDone: 0,
    rank: nextRank(),
    dayRank: null,
    description: null,
    descriptionHtml: '',
    checklist: [],
    textsAt: at,
  });
  const flat = project('Move to the new flat');
  const garden = project('Garden in spring');
  store.adopt({
    projects: [flat, garden],
    tasks: [
      task('Send the signed contract back', -3, flat.id),
      task('Renew the library card', -1),
      task('Call the dentist about Thursday', 0),
      task('Pack the kitchen', 0, flat.id),
      task('Water the plants', 0),
      task('Compare three offers for the van', 2, flat.id),
      task('Order seeds', 40, garden.id),
      task('Buy milk', null),
      task('Dig over the bed', null, garden.id),
    ],
  });
  return store;
}
