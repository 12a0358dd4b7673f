import { computed, signal } from '@preact/signals';
import {
  type AppAccount,
  type AppRowsResponse,
  appApiPath,
  mostRowsAsked,
} from '#shared/app/app-protocol.ts';
import { knownZone } from '../dates/civil-date.ts';
import type { Api, ApiRequest } from './api.ts';
import { createAreaCommands } from './area-commands.ts';
import { type FeedPosition, rowBatch } from './batch.ts';
import { createCommandRunner } from './command-runner.ts';
import { createSync } from './create-sync.ts';
import { createDayClock } from './day-clock.ts';
import type { Disk } from './disk.ts';
import { ConnectionFailure, ReadFailure, SignedOut } from './errors.ts';
import { createLingering } from './lingering.ts';
import { createLiveViews } from './live-views.ts';
import { Notices } from './notices.ts';
import { Outbox } from './outbox.ts';
import { type OutboxRecord, refusedGroups, tryAgain } from './outbox-record.ts';
import { pastTasks } from './past-tasks.ts';
import { createProjectCommands } from './project-commands.ts';
import { Replica } from './replica.ts';
import { keyText, Rows } from './rows.ts';
import { createSectionCommands } from './section-commands.ts';
import { createSharedCopy } from './shared-copy.ts';
import type { Connection, Store } from './store.ts';
import type { TabMessage, Tabs } from './tabs.ts';
import { createTaskCommands } from './task-commands.ts';
import { watchedTexts } from './watched-texts.ts';

type StoreParts = {
  api: Api;
  disk: Disk;
  tabs: Tabs;
  now?: () => Date;
  onFault(error: unknown): void;
};

/** A store with the operations for its page. */
export type OpenStore = Store & {
  setAccount(account: AppAccount): void;
  /** The clock, the network or the page's visibility may have changed. */
  lookAgain(isNetworkChanged?: boolean): void;
  close(): void;
};

export async function createStore(parts: StoreParts): Promise<OpenStore> {
  const { api, disk, tabs, now = () => new Date(), onFault } = parts;
  const connection = signal<Connection>('connecting');
  const rows = new Rows();
  const outbox = new Outbox(disk, rows, (removed) => {
    runner.noteRemoved(removed);
    tabs.post({ kind: 'outbox', removed });
    sync.wake();
  });
  const replica = new Replica(rows, () => outbox.records.value);
  const copy = createSharedCopy(replica, disk, tabs, onFault);
  const isLoaded = computed(() => replica.position.value !== null);
  const timeZone = computed(() => knownZone(replica.account.value?.timezone ?? 'UTC'));
  const clock = createDayClock(timeZone, now);
  const lingering = createLingering();
  const notices = new Notices(outbox);
  const views = createLiveViews({
    rows,
    today: clock.today,
    timeZone,
    lingering: lingering.ids,
    closedCounts: replica.closedCounts,
  });

  async function fetchTexts(ids: readonly string[]): Promise<void> {
    for (let missing = ids; missing.length > 0; ) {
      const body = { ids: missing.slice(0, mostRowsAsked) };
      const { status, body: answer } = await api.send({ method: 'POST', path: `${appApiPath}/rows`, body });
      if (status === 400) throw new ReadFailure();
      if (status !== 200) throw new ConnectionFailure(1);
      const { tasks, projects, notSent } = answer as AppRowsResponse;
      const withTexts = tasks.map((task) => ({ ...task, textsAt: task.updatedAt }));
      await copy.apply(rowBatch({ tasks: withTexts, projects }));
      missing = [...notSent, ...missing.slice(mostRowsAsked)];
    }
  }
  /** Offline, texts are fetched later. */
  const reportFault = (error: unknown): void => {
    if (!(error instanceof ConnectionFailure) && !(error instanceof SignedOut)) onFault(error);
  };
  const texts = watchedTexts(rows, fetchTexts);

  async function ask<Answer>(request: ApiRequest): Promise<Answer> {
    try {
      const { status, body } = await api.send(request);
      if (status !== 200) throw new ReadFailure();
      return body as Answer;
    } catch (error) {
      if (error instanceof SignedOut) connection.value = 'signed-out';
      throw new ReadFailure();
    }
  }

  const read = <Answer>(path: string) => ask<Answer>({ method: 'GET', path });

  const runner = createCommandRunner({
    rows,
    outbox,
    notices,
    lingering,
    today: () => clock.today.value,
    now,
    read,
    onFault,
  });

  const sync = createSync({
    api,
    outbox,
    replica,
    copy,
    tabs,
    fetchTexts,
    onAnswered: runner.noteAnswer,
    onConnection: (next) => {
      connection.value = next;
    },
    onCurrent: () => texts.refreshSoon(reportFault),
    onFault,
  });

  /** Reads what the leader could not store: the disk is full, or holds the rows of another version. */
  async function follow(position: FeedPosition | null): Promise<void> {
    if (position && position.seq > (replica.position.value?.seq ?? -1)) await sync.pull();
  }

  async function receive(message: TabMessage): Promise<void> {
    switch (message.kind) {
      case 'batch':
        await copy.receive(message.after, message.batch);
        await follow(message.batch.position);
        break;
      case 'outbox':
        runner.noteRemoved(message.removed);
        await outbox.load();
        sync.wake();
        break;
      case 'renames':
        outbox.adoptRenames(message.renames);
        break;
      case 'answered':
        runner.noteAnswer(message.answered);
        break;
      case 'seen':
        replica.markSeen(message.key);
        break;
      case 'opened':
        // The user may have signed in again in the new tab.
        if (connection.value === 'signed-out') sync.retry();
        else sync.announce(connection.value);
        break;
      case 'retry':
        sync.retry();
        break;
      case 'connection':
        connection.value = message.connection;
        if (message.account !== null) replica.setAccount(message.account);
        await follow(message.position);
    }
  }

  function refusedWith(place: number): number[] {
    const group = refusedGroups(outbox.refused.value).find(([first]) => first?.n === place) ?? [];
    return group.map(({ n }) => n);
  }

  tabs.onMessage((message) => void receive(message).catch(reportFault));
  await outbox.load();
  notices.closeLimits();
  await copy.load(pastTasks(outbox.records.value, now()));
  tabs.post({ kind: 'opened' });
  sync.lead();

  return {
    account: replica.account,
    allowsDeadlines: computed(() => replica.account.value?.plan === 'premium'),
    today: clock.today,
    minute: clock.minute,
    timeZone,
    connection,
    isLoaded,
    position: replica.position,
    rows,
    views,
    commands: {
      ...createTaskCommands(runner.context),
      ...createProjectCommands(runner.context),
      ...createSectionCommands(runner.context),
      ...createAreaCommands(runner.context),
    },
    actors: {
      of: (entity, id) => replica.actors.value.get(keyText({ entity, id }))?.actor ?? null,
      markSeen(entity, id) {
        replica.markSeen({ entity, id });
        tabs.post({ kind: 'seen', key: { entity, id } });
        copy.saveState().catch(onFault);
      },
      lastChange: replica.lastChange,
    },
    notices,
    waiting: computed(() => new Set(outbox.records.value.flatMap((record) => record.changes.map(keyText)))),
    waitingCount: computed(() => outbox.records.value.length),
    lingering: lingering.ids,
    isFolding: lingering.isFolding,
    undo: runner.undo,
    redo: runner.redo,
    retryRefused(id, choose = (record) => record) {
      const places = refusedWith(id);
      const keys = new Map(places.map((n) => [n, crypto.randomUUID()]));
      const again = (record: OutboxRecord) => choose(tryAgain(record, keys.get(record.n) ?? record.key));
      outbox.change(places, again).catch(onFault);
    },
    discardRefused(id, choose = () => null) {
      outbox.withdraw(refusedWith(id), choose).catch(onFault);
    },
    resolveNotes(taskId, choice) {
      const records = outbox.records.value.filter(({ row, hold }) => row.id === taskId && hold === 'notes');
      const places = records.map(({ n }) => n);
      outbox.change(places, choice).catch(onFault);
    },
    loadTexts: texts.load,
    read,
    post: (path, body) => ask({ method: 'POST', path, body, idempotencyKey: crypto.randomUUID() }),
    pull: sync.pull,
    adopt(adopted) {
      replica.apply(rowBatch(adopted));
    },
    idOf: (id) => outbox.idOf(id),
    keyOf: (id) => outbox.keyOf(id),
    settled: runner.settled,
    forget() {
      runner.settled().then(copy.forget).catch(onFault);
    },
    setAccount: (account) => replica.setAccount(account),
    lookAgain(isNetworkChanged?: boolean) {
      clock.check();
      // Tabs that were killed or kept while away told nothing, or were told nothing.
      Promise.all([outbox.load(), copy.catchUp()]).then(sync.wake).catch(onFault);
      if (isNetworkChanged || connection.value !== 'online') {
        sync.retry();
        tabs.post({ kind: 'retry' });
      }
    },
    close() {
      clock.stop();
      tabs.close();
      sync.stop();
    },
  };
}
