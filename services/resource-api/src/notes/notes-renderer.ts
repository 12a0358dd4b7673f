import PQueue from 'p-queue';
import { Piscina } from 'piscina';
import { createQueuePerAccount } from '../sync/account-queue.ts';
import type { RenderingTask } from './render-worker.ts';

/** Raised when the same notes become other HTML. `notes render` renders what has a lower version again. */
export const notesRendererVersion = 3;
/** Of notes shown as plain text because they exceed a limit. */
const fallbackVersion = 0;
/** Of notes shown as plain text because there was no time for them: they are rendered again soon. */
export const pendingVersion = -1;

/** `version` is stored beside the HTML. */
export type Rendering = { html: string; version: number };

/** Renders Markdown notes to sanitised HTML, in worker threads. */
export type NotesRenderer = {
  /** Never rejects: notes that exceed a limit, or crash the converter, become escaped text in `<p>`. */
  render(accountId: string, markdown: string | null | undefined): Promise<Rendering>;
  /** As `render`; notes that take too long a second time are not pending any more. */
  renderAgain(accountId: string, markdown: string): Promise<Rendering>;
  load(): RenderLoad;
  close(): Promise<void>;
};

export type NotesRendererOptions = {
  /** Long notes rendered at the same time. One thread more is kept for short ones. */
  workers: number;
  /** Time one rendering may take in its thread, which is terminated then. */
  timeoutMilliseconds: number;
  /** Time until a write continues with plain text, waiting included. */
  maxWaitMilliseconds?: number;
  /** Heap of one thread. */
  memoryMegabytes?: number;
  observer?: RenderObserver;
};

/** `html`, or why notes are shown as plain text; `not_taken` where no thread was free in time. */
export type RenderOutcome = 'html' | 'too_demanding' | 'over_budget' | 'crashed' | 'not_taken';

export type RenderObserver = {
  /** `milliseconds`: from the request to the outcome, waiting included. */
  renderingEnded(outcome: RenderOutcome, milliseconds: number): void;
};

export type RenderLoad = { queued: number; busyThreads: number; idleThreads: number };

/** Longer notes count as long. */
const maxShortLength = 2_000;

/**
 * Renders one note of an account at a time, so that slow notes of one account do not delay others. Long notes never
 * occupy the last thread. Threads start with the first notes.
 */
export function createNotesRenderer(options: NotesRendererOptions): NotesRenderer {
  const {
    workers,
    timeoutMilliseconds,
    maxWaitMilliseconds = 12_000,
    memoryMegabytes = 192,
    observer,
  } = options;
  const queueOf = createQueuePerAccount();
  const longNotes = new PQueue({ concurrency: workers });
  const closing = new AbortController();
  const pool = new Piscina<RenderingTask, string | undefined>({
    filename: new URL('./render-worker.ts', import.meta.url).href,
    name: 'renderNotes',
    minThreads: 0,
    maxThreads: workers + 1,
    idleTimeout: Number.POSITIVE_INFINITY,
    resourceLimits: { maxOldGenerationSizeMb: memoryMegabytes, maxYoungGenerationSizeMb: 12 },
    // Otherwise a thread waits without a turn of its event loop, and jsdom releases no memory.
    atomics: 'disabled',
    // Requests take precedence over renderings.
    niceIncrement: 3,
  });
  // A thread that ends while idle is replaced with the next notes.
  pool.on('error', () => {});
  const startListeners = new Map<number, () => void>();
  pool.on('message', (taskId: number) => startListeners.get(taskId)?.());
  let lastTaskId = 0;

  /** The time limit begins in the thread: the start of a thread takes most of a second. */
  async function runInThread(markdown: string, stop: AbortController, signal: AbortSignal) {
    const id = ++lastTaskId;
    let timer: NodeJS.Timeout | undefined;
    startListeners.set(id, () => {
      timer = setTimeout(() => stop.abort('over_budget'), timeoutMilliseconds);
    });
    try {
      return await pool.run({ id, markdown }, { signal });
    } finally {
      startListeners.delete(id);
      clearTimeout(timer);
    }
  }

  async function renderWithinLimits(accountId: string, markdown: string) {
    const stop = new AbortController();
    const patience = setTimeout(() => stop.abort('not_taken'), maxWaitMilliseconds);
    const signal = AbortSignal.any([stop.signal, closing.signal]);
    const run = () => runInThread(markdown, stop, signal);
    const runInTurn = markdown.length > maxShortLength ? () => longNotes.add(run, { signal }) : run;
    try {
      const html = await queueOf(accountId).add(runInTurn, { signal });
      return { html, outcome: html === undefined ? 'too_demanding' : 'html' } as const;
    } catch {
      const outcome: RenderOutcome = signal.aborted ? signal.reason : 'crashed';
      return { outcome };
    } finally {
      clearTimeout(patience);
    }
  }

  async function render(accountId: string, markdown: string, pending: readonly RenderOutcome[]) {
    const begin = performance.now();
    const { html, outcome } = await renderWithinLimits(accountId, markdown);
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
      queued: longNotes.size + pool.queueSize,
      busyThreads: pool.threads.length - pool.idleThreads,
      idleThreads: pool.idleThreads,
    }),
    async close() {
      closing.abort('not_taken');
      await pool.destroy();
    },
  };
}

export function escapedParagraph(text: string): string {
  const escaped = text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
  return `<p>${escaped.replace(/\r\n?/g, '\n')}</p>`;
}
