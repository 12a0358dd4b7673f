import type { RenderLoad, RenderObserver } from './render-observer.ts';
import { createRenderQueue, type RenderJob } from './render-queue.ts';
import { type RenderThread, startRenderThread } from './render-thread.ts';

export type RenderPoolOptions = {
  /** Long notes rendered at the same time. One thread more is kept for short ones. */
  workers: number;
  /** Processor time that one rendering may use. */
  timeoutMilliseconds: number;
  maxQueued: number;
  /** By the clock, from the wish to the outcome. */
  maxWaitMilliseconds: number;
  memoryMegabytes: number;
  observer?: RenderObserver | undefined;
};

export type RenderPool = {
  /** Undefined if the notes cannot be rendered within the limits, or not now. */
  run(markdown: string): Promise<string | undefined>;
  load(): RenderLoad;
  close(): Promise<void>;
};

/** For each thread. Most notes take a millisecond: one more thread would be ready only long after these are done. */
const mostShortWaiting = 20;
const firstRestartDelayMilliseconds = 1_000;
const maxRestartDelayMilliseconds = 60_000;

/**
 * Threads that render notes, each ended and replaced when one rendering takes too long. Long notes never take
 * the last ready thread: what somebody makes slow by its length delays only its like.
 *
 * The first thread starts with the first notes, another one when long notes wait or too many short ones: each takes
 * 70 ms of processor time and 20 MB, and 700 ms and 100 MB when it comes to need its sanitiser.
 */
export function createRenderPool(options: RenderPoolOptions): RenderPool {
  const { workers, timeoutMilliseconds, maxQueued, maxWaitMilliseconds, memoryMegabytes, observer } = options;
  const queue = createRenderQueue(maxQueued);
  const threads = new Set<RenderThread>();
  const idle = new Set<RenderThread>();
  let wantedThreads = 0;
  let isStarting = false;
  let restartDelayMilliseconds = firstRestartDelayMilliseconds;
  let restart: NodeJS.Timeout | undefined;
  let isClosed = false;

  function dispatch(): void {
    for (const thread of idle) {
      const job = queue.take(idle.size > 1);
      if (!job) break;
      void runOn(thread, job);
    }
  }

  async function runOn(thread: RenderThread, job: RenderJob): Promise<void> {
    idle.delete(thread);
    const rendering = await thread.render(job.markdown);
    observer?.renderingEnded(rendering.failure ?? 'html', performance.now() - job.wantedAt);
    job.settle(rendering.html);
    if (threads.has(thread)) idle.add(thread);
    dispatch();
  }

  function startNext(): void {
    if (isClosed || isStarting || restart !== undefined) return;
    if (isAnotherWorthIt()) wantedThreads = Math.min(threads.size + 1, workers + 1);
    if (threads.size >= wantedThreads) return;
    isStarting = true;
    let wasReady = false;
    const thread = startRenderThread({
      budgetMilliseconds: timeoutMilliseconds,
      memoryMegabytes,
      onReady: () => {
        wasReady = true;
        isStarting = false;
        restartDelayMilliseconds = firstRestartDelayMilliseconds;
        idle.add(thread);
        dispatch();
        startNext();
      },
      onEnd: () => {
        threads.delete(thread);
        idle.delete(thread);
        if (!wasReady) delayRestart();
        startNext();
        giveUpWithoutThreads();
      },
    });
    threads.add(thread);
  }

  function isAnotherWorthIt(): boolean {
    if (threads.size === 0) return queue.size() > 0;
    return queue.holdsLong() || queue.size() > mostShortWaiting * threads.size;
  }

  /** What keeps a thread from starting (too little memory) would keep the next one: no starting in a circle. */
  function delayRestart(): void {
    isStarting = false;
    const resume = (): void => {
      restart = undefined;
      startNext();
    };
    restart = setTimeout(resume, restartDelayMilliseconds).unref();
    restartDelayMilliseconds = Math.min(2 * restartDelayMilliseconds, maxRestartDelayMilliseconds);
  }

  function giveUpWithoutThreads(): void {
    if (threads.size > 0) return;
    for (const job of queue.clear()) decline(job);
  }

  function decline(job: RenderJob): void {
    observer?.renderingEnded('not_taken', performance.now() - job.wantedAt);
    job.settle(undefined);
  }

  return {
    run(markdown) {
      if (isClosed) return Promise.resolve(undefined);
      const { promise, resolve } = Promise.withResolvers<string | undefined>();
      const patience = setTimeout(() => {
        queue.remove(job);
        decline(job);
      }, maxWaitMilliseconds);
      const job: RenderJob = {
        markdown,
        wantedAt: performance.now(),
        settle: (html) => {
          clearTimeout(patience);
          resolve(html);
        },
      };
      const oneTooMany = queue.add(job);
      if (oneTooMany !== undefined) decline(oneTooMany);
      dispatch();
      startNext();
      giveUpWithoutThreads();
      return promise;
    },
    load: () => ({
      queued: queue.size(),
      idleThreads: idle.size,
      busyThreads: threads.size - idle.size - (isStarting ? 1 : 0),
    }),
    async close() {
      isClosed = true;
      clearTimeout(restart);
      for (const job of queue.clear()) job.settle(undefined);
      await Promise.all([...threads].map((thread) => thread.stop()));
    },
  };
}
