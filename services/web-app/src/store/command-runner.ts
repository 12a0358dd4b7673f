import { type AppTrashPage, appApiPath, type UndoResponse } from '#shared/app/app-protocol.ts';
import { formatDay } from '../dates/format-day.ts';
import { commandWords } from '../words/command-words.ts';
import type { CommandContext, CommandResult } from './command-context.ts';
import type { Lingering } from './lingering.ts';
import type { Notices } from './notices.ts';
import { changedIds, type Outbox } from './outbox.ts';
import { type AnsweredRecord, isPutBack, type OutboxRecord, type RecordDraft } from './outbox-record.ts';
import type { RowChange, RowKey } from './row-types.ts';
import type { Rows } from './rows.ts';
import { inverseOf, UndoLog, type UndoStep } from './undo-log.ts';

type Parts = {
  rows: Rows;
  outbox: Outbox;
  notices: Notices;
  lingering: Lingering;
  today(): string;
  now(): Date;
  read<Answer>(path: string): Promise<Answer>;
  onFault(error: unknown): void;
};

/** Runs commands one after another: computes, stores and shows their writes. */
export function createCommandRunner(parts: Parts) {
  const { rows, outbox, notices, lingering, now } = parts;
  const log = new UndoLog();
  /** Toasts for the responses to undo and redo. */
  const sayings = new Map<string, (answer: UndoResponse) => string>();
  /** Commands undone since the last new command, newest last. */
  let undone: { label: string; drafts: RecordDraft[] }[] = [];
  let queue: Promise<void> = Promise.resolve();

  function enqueue(work: () => Promise<void>): void {
    queue = queue.then(work).catch((error: unknown) => {
      notices.toast(commandWords.notKept);
      parts.onFault(error);
    });
  }

  async function write(drafts: readonly RecordDraft[], command: string): Promise<OutboxRecord[]> {
    lingering.note(drafts);
    return outbox.add(drafts, command);
  }

  async function writeStep(command: string, label: string, drafts: readonly RecordDraft[]): Promise<void> {
    const inverse = inverseOf(rows, drafts);
    log.add({ command, label, inverse, records: await write(drafts, command) });
  }

  async function execute(command: string, { drafts, toast }: CommandResult): Promise<void> {
    const [first] = drafts;
    const said = typeof toast === 'string' ? { text: toast, more: '' } : toast;
    if (first === undefined) {
      if (said !== null) notices.toast(said.text, null, said.more);
      return;
    }
    undone = [];
    await writeStep(command, said?.text ?? labelOf(first, drafts), drafts);
    if (said === null) notices.dropUndoToast();
    else notices.toast(said.text, command, said.more);
  }

  /** Writes that may have reached the server are undone there, after they are confirmed. */
  async function undoStep(step: UndoStep): Promise<void> {
    const { label, records, dropped } = step;
    const refused = new Set(outbox.refused.value.filter(isPutBack).map(({ n }) => n));
    const present = records.filter(({ n }) => !dropped.has(n) && !refused.has(n));
    if (present.length === 0) {
      log.remove(step);
      notices.toast(commandWords.nothingLeft(label));
      return;
    }
    await outbox.withdraw(records.map(({ n }) => n));
    log.remove(step);
    const drafts: RecordDraft[] = present.filter(({ n }) => dropped.has(n)).map(draftOf);
    const sent = present.filter(({ n }) => !dropped.has(n));
    const [first] = sent;
    if (first !== undefined) {
      const inverse = step.inverse.filter(({ id }) => sent.some((record) => changedIds(record).includes(id)));
      const command = crypto.randomUUID();
      sayings.set(command, (answer) => commandWords.undoOutcome(answer, label));
      const row = { ...first.row, id: outbox.idOf(first.row.id) };
      const undo = undoOf(step.command, row, inverse, label);
      drafts.unshift(undoOf(command, row, inverseOf(rows, [undo]), label));
      await write([undo], command);
    }
    undone.push({ label, drafts });
    notices.toast(commandWords.undone(label));
  }

  async function redo(): Promise<void> {
    const step = undone.pop();
    if (step === undefined) {
      notices.toast(commandWords.nothingToRedo);
      return;
    }
    const { label, drafts } = step;
    const command = crypto.randomUUID();
    sayings.set(command, (answer) => commandWords.notAllRedone(answer, label));
    await writeStep(command, label, drafts);
    notices.toast(commandWords.redone(label), command);
  }

  /** Extends a toast: «Completed “Water”. Next on Thursday», with the date from the server. */
  function sayNext(step: UndoStep, body: unknown): void {
    const [, transition] = /\/(complete|skip)$/.exec(step.records[0]?.path ?? '') ?? [];
    if (transition === undefined || step.records.length > 1) return;
    const text = saySeries(transition === 'skip', body, parts.today());
    if (text !== null) sayMore(step, text);
  }

  /** Extends a toast: «4 tasks went with it», with the number from the server. */
  async function sayTrashed(step: UndoStep): Promise<void> {
    const [record] = step.records;
    if (record?.row.entity !== 'project' || record.method !== 'DELETE') return;
    const { projects } = await parts.read<AppTrashPage>(`${appApiPath}/trash`);
    const count = projects.find(({ id }) => id === outbox.idOf(record.row.id))?.taskCount;
    if (count) sayMore(step, commandWords.wentWith(count));
  }

  function sayMore(step: UndoStep, text: string): void {
    notices.addToToast(step.label, step.command, text, log.last() === step);
  }

  function sayKept({ command, sentAt, body }: AnsweredRecord): void {
    const say = sayings.get(command);
    if (say === undefined || !isUndoResponse(body)) return;
    sayings.delete(command);
    // An earlier attempt may have undone it.
    const isInVain = body.undone === 0 && sentAt === null;
    if (isInVain || body.kept.length > 0) notices.toast(say(body));
  }

  const context: CommandContext = {
    rows,
    today: parts.today,
    now,
    run(build) {
      const command = crypto.randomUUID();
      enqueue(async () => execute(command, build()));
    },
  };

  return {
    context,
    undo(command?: string): void {
      enqueue(async () => {
        const step = command === undefined ? log.last() : log.find(command);
        if (step === undefined) notices.toast(commandWords.nothingToUndo);
        else await undoStep(step);
      });
    },
    redo: (): void => enqueue(redo),
    noteAnswer(answered: AnsweredRecord): void {
      const step = log.find(answered.command);
      log.noteAnswer(answered.n);
      if (step !== undefined) {
        sayNext(step, answered.body);
        sayTrashed(step).catch(() => undefined);
      }
      sayKept(answered);
    },
    /** These records left the outbox. */
    noteRemoved: (places: readonly number[]): void => log.noteRemoved(places),
    settled: async () => queue,
  };
}

function labelOf({ path, body }: RecordDraft, drafts: readonly RecordDraft[]): string {
  const field = path.endsWith('position') ? 'position' : Object.keys(body ?? {})[0];
  const titles = new Map(drafts.map(({ row, title }) => [row.id, title]));
  return commandWords.changeOf(field ?? '', [...titles.values()]);
}

function undoOf(command: string, row: RowKey, changes: RowChange[], title: string): RecordDraft {
  return { method: 'POST', path: `${appApiPath}/undo`, body: { command }, row, changes, title };
}

function draftOf({ method, path, body, row, creates, base, changes, title }: OutboxRecord): RecordDraft {
  return { method, path, body, row, creates, base, changes, title };
}

function isUndoResponse(body: unknown): body is UndoResponse {
  return typeof body === 'object' && body !== null && 'kept' in body && Array.isArray(body.kept);
}

/** The state of a series after a response. */
function saySeries(isSkipped: boolean, body: unknown, today: string): string | null {
  if (typeof body !== 'object' || body === null || !('status' in body)) return null;
  if (body.status !== 'open') return isSkipped ? commandWords.lastSkipped : null;
  const dates = ['dueDate' in body && body.dueDate, 'deadlineDate' in body && body.deadlineDate];
  const next = dates.find((date) => typeof date === 'string');
  return typeof next === 'string' ? commandWords.next(formatDay(next, today)) : null;
}
