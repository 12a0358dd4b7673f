import { computed, type ReadonlySignal, signal } from '@preact/signals';
import type { AppAccount } from '../../../../shared/app/app-protocol.ts';
import { commandWords } from '../words/command-words.ts';
import { createAreaCommands } from './area-commands.ts';
import type { CommandContext } from './command-context.ts';
import { createDayClock } from './day-clock.ts';
import { createMemoryDisk, type Disk } from './disk.ts';
import { ReadFailure } from './errors.ts';
import { createLiveViews } from './live-views.ts';
import { Notices } from './notices.ts';
import { Outbox } from './outbox.ts';
import type { RecordDraft } from './outbox-record.ts';
import { createProjectCommands } from './project-commands.ts';
import type { RowKey } from './row-types.ts';
import { keyText, Rows } from './rows.ts';
import { createSectionCommands } from './section-commands.ts';
import type { Store } from './store.ts';
import { createTaskCommands } from './task-commands.ts';

/** The row of a closed task folds this long after the last completion. */
const lingerMilliseconds = 1200;

export function createStore({
  account,
  disk = createMemoryDisk(),
  now = () => new Date(),
}: {
  account: AppAccount;
  disk?: Disk;
  now?: () => Date;
}): Store {
  const accountSignal = signal<AppAccount | null>(account);
  const timeZone = computed(() => accountSignal.value?.timezone ?? 'UTC');
  const clock = createDayClock(timeZone, now);
  const rows = new Rows();
  const notices = new Notices();
  const outbox = new Outbox(disk, (keys, records) => rows.refresh(keys, records));
  const lingering = createLingering();
  const closedCounts = signal<Record<string, number>>({});
  const steps: { command: string; label: string }[] = [];
  let queue: Promise<unknown> = Promise.resolve();

  const context: CommandContext = {
    rows,
    today: () => clock.today.value,
    now,
    run(build) {
      const command = crypto.randomUUID();
      queue = queue.then(async () => {
        const { drafts, toast } = build();
        if (drafts.length === 0) return;
        lingering.add(closedBy(drafts));
        await outbox.add(drafts, command, now().getTime());
        steps.push({ command, label: toast ?? drafts[0]?.title ?? '' });
        steps.splice(0, steps.length - 20);
        if (toast !== null) notices.toast(toast, command);
      });
    },
  };

  function undo(command?: string): void {
    queue = queue.then(async () => {
      const place = command === undefined ? -1 : steps.findIndex((step) => step.command === command);
      const [step] = steps.splice(place, 1);
      if (step === undefined) return notices.toast(commandWords.nothingToUndo);
      const unsent = outbox.records.value.filter((record) => record.command === step.command);
      await outbox.remove(unsent.map((record) => record.n));
      notices.toast(commandWords.undone(step.label));
    });
  }

  const waiting = computed(
    () => new Set(outbox.records.value.flatMap((record) => record.changes.map(keyText))),
  );
  const nobody = signal(null);

  return {
    account: accountSignal,
    today: clock.today,
    timeZone,
    connection: signal('online'),
    isLoaded: signal(true),
    rows,
    views: createLiveViews({ rows, today: clock.today, timeZone, lingering: lingering.ids, closedCounts }),
    commands: {
      ...createTaskCommands(context),
      ...createProjectCommands(context),
      ...createSectionCommands(context),
      ...createAreaCommands(context),
    },
    actors: { of: () => nobody, markSeen: () => {}, lastChange: nobody },
    notices,
    waiting,
    waitingCount: computed(() => outbox.records.value.length),
    lingering: lingering.ids,
    newVersion: signal(false),
    loadNewVersion: () => {},
    undo,
    undoStamps: async () => null,
    retryRefused: () => {},
    discardRefused: (id) => notices.dismissRefusal(id),
    resolveNotes: () => {},
    loadTexts: async () => {},
    read: () => Promise.reject(new ReadFailure('offline', null, 'No connection')),
    adopt({ tasks = [], projects = [] }) {
      for (const task of tasks) rows.tasks.server.set(task.id, task);
      for (const project of projects) rows.projects.server.set(project.id, project);
      const keys: RowKey[] = [
        ...tasks.map(({ id }) => ({ entity: 'task', id }) as const),
        ...projects.map(({ id }) => ({ entity: 'project', id }) as const),
      ];
      rows.refresh(keys, outbox.records.value);
    },
    idOf: (id) => id,
    keyOf: (id) => id,
    settled: async () => void (await queue),
  };
}

function createLingering(): { ids: ReadonlySignal<ReadonlySet<string>>; add(ids: string[]): void } {
  const ids = signal<ReadonlySet<string>>(new Set());
  let timer: ReturnType<typeof setTimeout> | undefined;
  return {
    ids,
    add(added) {
      if (added.length === 0) return;
      ids.value = new Set([...ids.value, ...added]);
      clearTimeout(timer);
      timer = setTimeout(() => {
        ids.value = new Set();
      }, lingerMilliseconds);
    },
  };
}

function closedBy(drafts: readonly RecordDraft[]): string[] {
  const changes = drafts.flatMap((draft) => draft.changes);
  return changes.flatMap((change) => {
    const closes = 'set' in change && 'status' in change.set && change.set.status !== 'open';
    return closes && change.entity === 'task' && change.set.id === undefined ? [change.id] : [];
  });
}
