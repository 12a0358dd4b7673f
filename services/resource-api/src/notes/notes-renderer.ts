import { type EventEmitter, once } from 'node:events';
import PQueue from 'p-queue';
import { Piscina } from 'piscina';
import { createQueuePerKey, runQueued } from '#shared/queue/run-queued.ts';
import type { RenderingTask } from './render-worker.ts';

/** Raise it when the same notes yield other HTML. `notes render` renders notes with a lower version again. */
export const notesRendererVersion = 3;
/** Version of notes shown as plain text because they exceed a limit. */
const fallbackVersion = 0;
/** Version of notes shown as plain text after a timeout: they are rendered again soon. */
export const pendingVersion = -1;

/** `version` is stored with the HTML. */
export type Rendering = { html: string; version: number };

/** The columns of notes; empty ones count as none. */
export function notesColumns(notes: string | null | undefined, { html, version }: Rendering) {
  return { description: notes || null, descriptionHtml: html, rendererVersion: version };
}

/** The columns to store of a patch's notes: unsent and unchanged ones keep their rendering. */
export function changedNotes(kept: string | null, sent: string | null | undefined, rendering: Rendering) {
  return sent === undefined || (sent || null) === kept ? {} : notesColumns(sent, rendering);
}

/** Renders Markdown notes to sanitised HTML, in worker threads. */
export type NotesRenderer = {
  /** Never rejects: notes that exceed a limit or crash the converter become escaped text in `<p>`. */
  render(accountId: string, markdown: string | null | undefined): Promise<Rendering>;
  /** As `render`; notes that time out again are no longer pending. */
  renderAgain(accountId: string, markdown: string): Promise<Rendering>;
  load(): RenderLoad;
  close(): Promise<void>;
};

export type NotesRendererOptions = {
  /** Concurrent renderings of long notes. One more thread is reserved for short ones. */
  workers: number;
  /** Time limit of one rendering; its thread is then terminated. */
  timeoutMilliseconds: number;
  /** Time limit including the queue; then a write continues with plain text. */
  maxWaitMilliseconds?: number;
  /** Heap limit of one thread. */
  memoryMegabytes?: number;
  observer?: RenderObserver;
};

/** `html`, or the reason for plain text; `not_taken`: no thread was free in time. */
type RenderOutcome = 'html' | 'too_demanding' | 'over_budget' | 'crashed' | 'not_taken';

type Attempt = { html?: string | undefined; outcome: RenderOutcome };

export type RenderObserver = {
  /** `milliseconds`: including the queue. */
  renderingEnded(outcome: RenderOutcome, milliseconds: number): void;
};

export type RenderLoad = { queued: number; busyThreads: number; idleThreads: number };

const maxShortLength = 2_000;
/** Starting a thread takes most of a second. */
const maxThreadStartMilliseconds = 10_000;

/**
 * Renders one note per account at a time, so that an account's slow notes do not delay others. Long notes
 * never occupy the last thread. Threads start with the first notes.
 */
export function createNotesRenderer(options: NotesRendererOptions): NotesRenderer {
  const {
    workers,
    timeoutMilliseconds,
    maxWaitMilliseconds = 12_000,
    memoryMegabytes = 192,
    observer,
  } = options;
  const queueOf = createQueuePerKey();
  const longNotes = new PQueue({ concurrency: workers });
  const allNotes = new PQueue({ concurrency: workers + 1 });
  const closing = new AbortController();
  const patience = {
    milliseconds: maxWaitMilliseconds,
    error: () => new Error('no thread was free in time'),
  };
  const startListeners = new Map<number, () => void>();
  let pool: Piscina<RenderingTask, string | undefined> | undefined;
  let lastTaskId = 0;

  function startPool() {
    const threads = workers + 1;
    const started = new Piscina<RenderingTask, string | undefined>({
      filename: new URL('./render-worker.ts', import.meta.url).href,
      name: 'renderNotes',
      minThreads: threads,
      maxThreads: threads,
      resourceLimits: { maxOldGenerationSizeMb: memoryMegabytes, maxYoungGenerationSizeMb: 12 },
      // Otherwise an idle thread blocks its event loop, and jsdom releases no memory.
      atomics: 'disabled',
      // Lower priority than requests.
      niceIncrement: 3,
    });
    // An idle thread that exits is replaced.
    started.on('error', () => {});
    started.on('message', (taskId: number) => startListeners.get(taskId)?.());
    return started;
  }

  /** Until a lost thread is replaced its account has no other: one account's notes could end all of them. */
  function pauseAccount(accountId: string, threads: EventEmitter): void {
    const signal = AbortSignal.any([closing.signal, AbortSignal.timeout(maxThreadStartMilliseconds)]);
    const replaced = once(threads, 'workerCreate', { signal }).catch(() => undefined);
    void queueOf(accountId).add(() => replaced, { priority: 1 });
  }

  async function runInThread(accountId: string, markdown: string): Promise<Attempt> {
    if (closing.signal.aborted) return { outcome: 'not_taken' };
    pool ??= startPool();
    const id = ++lastTaskId;
    const stop = new AbortController();
    let timer: NodeJS.Timeout | undefined;
    // The time limit starts in the thread, which may itself have to start first.
    startListeners.set(id, () => {
      timer = setTimeout(() => stop.abort(), timeoutMilliseconds);
    });
    try {
      const html = await pool.run({ id, markdown }, { signal: stop.signal });
      return { html, outcome: html === undefined ? 'too_demanding' : 'html' };
    } catch {
      if (closing.signal.aborted) return { outcome: 'not_taken' };
      pauseAccount(accountId, pool);
      return { outcome: stop.signal.aborted ? 'over_budget' : 'crashed' };
    } finally {
      startListeners.delete(id);
      clearTimeout(timer);
    }
  }

  async function renderQueued(accountId: string, markdown: string): Promise<Attempt> {
    const queues = [() => queueOf(accountId), () => allNotes];
    if (markdown.length > maxShortLength) queues.splice(1, 0, () => longNotes);
    try {
      return await runQueued(queues, patience, () => runInThread(accountId, markdown));
    } catch {
      return { outcome: 'not_taken' };
    }
  }

  async function render(accountId: string, markdown: string, pending: readonly RenderOutcome[]) {
    const begin = performance.now();
    const { html, outcome } = await renderQueued(accountId, markdown);
    observer?.renderingEnded(outcome, performance.now() - begin);
    if (html !== undefined) return { html, version: notesRendererVersion };
    const version = pending.includes(outcome) ? pendingVersion : fallbackVersion;
    return { html: escapedParagraph(markdown), version };
  }

  return {
    async render(accountId, markdown) {
      if (!markdown) return { html: '', version: notesRendererVersion };
      return await render(accountId, markdown, ['not_taken', 'over_budget']);
    },
    renderAgain: (accountId, markdown) => render(accountId, markdown, ['not_taken']),
    load: () => ({
      queued: longNotes.size + allNotes.size,
      busyThreads: pool ? pool.threads.length - pool.idleThreads : 0,
      idleThreads: pool?.idleThreads ?? 0,
    }),
    async close() {
      closing.abort();
      await pool?.destroy();
    },
  };
}

export function escapedParagraph(text: string): string {
  const escaped = text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
  return `<p>${escaped.replace(/\r\n?|\n/g, '<br>\n')}</p>`;
}
