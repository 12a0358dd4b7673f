import type { ApiClient } from '#tests/support/api-client.ts';
import type { Page, Task } from '#tests/support/api-types.ts';

/** A copy of an account's tasks that is kept by polling alone, as the documentation tells clients to. */
export type PollingMirror = { poll(): Promise<void>; tasks(): Task[] };

/** From where the next poll reads on: the greatest `updatedAt` seen, or the moment the last poll began. */
type ResumeFrom = 'greatest-seen' | 'poll-start';

export function createPollingMirror(client: ApiClient, resumeFrom: ResumeFrom): PollingMirror {
  const copies = new Map<string, Task>();
  let greatestSeen = '1970-01-01T00:00:00.000Z';
  let lastPollBeganAt = greatestSeen;

  return {
    async poll() {
      const since = resumeFrom === 'greatest-seen' ? greatestSeen : lastPollBeganAt;
      lastPollBeganAt = new Date().toISOString();
      for await (const task of walk(client, `/tasks?view=all&limit=200&updatedSince=${since}`)) {
        copies.set(task.id, task);
        if (task.updatedAt > greatestSeen) greatestSeen = task.updatedAt;
      }
    },
    tasks: () => [...copies.values()].sort((one, other) => (one.id < other.id ? -1 : 1)),
  };
}

/** Every task of a list, page by page. */
export async function* walk(client: ApiClient, path: string): AsyncGenerator<Task> {
  let cursor = '';
  do {
    const { status, body } = await client.get<Page<Task>>(`${path}&cursor=${cursor}`);
    if (status !== 200) throw new Error(`the list answered ${status}: ${JSON.stringify(body)}`);
    yield* body.items;
    cursor = body.nextCursor ?? '';
  } while (cursor !== '');
}
