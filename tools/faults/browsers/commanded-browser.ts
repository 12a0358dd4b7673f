import { waitFor } from '#tests/support/wait-for.ts';
import { startDevice } from '#tests/web-app/open-device.ts';
import { actAtRandom } from '#tests/web-app/random-acts.ts';
import { keepMine, takeTheirs } from '#web-app/store/record-choices.ts';
import type { NotedWrites } from './noted-writes.ts';
import type { Session } from './session.ts';
import { copyOfStore, type StoredCopy } from './stored-copy.ts';
import { Titles } from './titles.ts';

type Options = { name: string; session: Session; random: () => number; writes: NotedWrites };

/** The app's store without its page: every command, many a second. */
export type CommandedBrowser = {
  titles: Titles;
  faults: string[];
  /** Writes that the server refused. */
  refusals: string[];
  act(): Promise<void>;
  setOnline(isOnline: boolean): void;
  /** Waits until the outbox is short again. */
  untilFewWait(): Promise<void>;
  readCopy(): StoredCopy;
  close(): void;
};

/** The outbox sends eight a second. */
const many = 150;
const few = 40;
const patience = { timeoutMilliseconds: 120_000, intervalMilliseconds: 100 };

export async function openCommandedBrowser({
  name,
  session,
  random,
  writes,
}: Options): Promise<CommandedBrowser> {
  const faults: string[] = [];
  const refusals: string[] = [];
  const titles = new Titles();
  let acts = 0;
  const { store, setOnline } = await startDevice({
    onFault: (error) => faults.push(`${name}: ${error instanceof Error ? error.stack : error}`),
    async reach(path, init) {
      const response = await session.reach(path, init);
      const method = init?.method ?? 'GET';
      writes.count(response.status);
      if (response.ok && method !== 'GET' && !path.startsWith('/app/session')) {
        const body: unknown = response.status === 204 ? null : await response.clone().json();
        writes.note(method, path, response.status, body);
      }
      return response;
    },
  });

  const told = new Set<number>();
  function answerQuestions(): void {
    const { notesConflicts, refusals: refused } = store.notices;
    for (const { row } of notesConflicts.value)
      store.resolveNotes(row.id, random() < 0.5 ? keepMine : takeTheirs);
    for (const { id, message, record } of refused.value) {
      if (told.has(id)) continue;
      told.add(id);
      const path = record.path.replaceAll(/[0-9a-f-]{36}/g, '…');
      refusals.push(`${record.refused?.kind}: ${record.method} ${path} ${message}`);
      if (record.creates) titles.refused(record.title);
      store.discardRefused(id);
    }
  }

  return {
    titles,
    faults,
    refusals,
    async act() {
      acts += 1;
      const title = `Sow ${name}x${acts}`;
      const act = actAtRandom(store, random, title);
      if (act === 'add') titles.added(store, title);
      if (act === 'undo') titles.undone(store);
      await store.settled();
      answerQuestions();
    },
    setOnline,
    async untilFewWait() {
      if (store.waitingCount.value < many) return;
      setOnline(true);
      await waitFor(
        () => {
          answerQuestions();
          return store.waitingCount.value < few;
        },
        { ...patience, what: 'an outbox with little in it' },
      );
    },
    readCopy() {
      answerQuestions();
      const count = store.waitingCount.value;
      return {
        rows: copyOfStore(store),
        waiting: count === 0 ? [] : [`${count} changes`],
        refused: [],
      };
    },
    close: () => store.close(),
  };
}
