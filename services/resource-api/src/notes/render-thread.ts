import { Worker } from 'node:worker_threads';
import { watchProcessorBudget } from './processor-budget.ts';

/** The first one says that the thread is ready, each later one answers one rendering. */
export type WorkerMessage = { html: string | undefined; cpuUsage: NodeJS.CpuUsage };

export type RenderThread = {
  /**
   * One rendering at a time. Undefined when the notes could not be rendered, and when the thread ended over
   * them: it is ended when it uses more processor time than the budget.
   */
  render(markdown: string): Promise<string | undefined>;
  /** Ends the thread, whatever it is doing. */
  stop(): Promise<void>;
};

export type RenderThreadOptions = {
  budgetMilliseconds: number;
  memoryMegabytes: number;
  onReady(): void;
  /** Called once, whether the thread was stopped or crashed, and after the last rendering is settled. */
  onEnd(): void;
};

/** Starts a thread for renderings. By itself it does not keep the process alive. */
export function startRenderThread(options: RenderThreadOptions): RenderThread {
  const { budgetMilliseconds, memoryMegabytes, onReady, onEnd } = options;
  const worker = new Worker(new URL('./render-worker.ts', import.meta.url), {
    name: 'notes',
    resourceLimits: { maxOldGenerationSizeMb: memoryMegabytes },
  });
  let before: NodeJS.CpuUsage | undefined;
  let settle: ((html: string | undefined) => void) | undefined;
  let hasEnded = false;

  /** Before the thread has stopped: an answer it still gets out must not earn it another rendering. */
  function end(): void {
    if (hasEnded) return;
    hasEnded = true;
    settle?.(undefined);
    onEnd();
  }

  async function stop(): Promise<void> {
    end();
    await worker.terminate();
  }

  worker.unref();
  worker.on('message', (message: WorkerMessage) => {
    const isFirst = before === undefined;
    before = message.cpuUsage;
    if (hasEnded) return;
    if (isFirst) onReady();
    else settle?.(message.html);
  });
  // Mostly the memory limit. The exit follows.
  worker.on('error', () => {});
  worker.on('exit', end);

  return {
    stop,
    render: (markdown) =>
      new Promise((resolve) => {
        const endWatch = watchProcessorBudget({
          milliseconds: budgetMilliseconds,
          used: async () => milliseconds(await worker.cpuUsage(before)),
          onExceeded: () => void stop(),
        });
        settle = (html) => {
          settle = undefined;
          endWatch();
          resolve(html);
        };
        worker.postMessage(markdown);
      }),
  };
}

function milliseconds(usage: NodeJS.CpuUsage): number {
  return (usage.user + usage.system) / 1000;
}
