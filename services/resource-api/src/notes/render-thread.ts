import { Worker } from 'node:worker_threads';
import { watchProcessorBudget } from './processor-budget.ts';

/** «ready» at the start, and each time something was loaded in the middle of a rendering, which has to wait for it. */
export type WorkerMessage =
  | { state: 'ready'; cpuUsage: NodeJS.CpuUsage }
  | { state: 'loading' }
  | { state: 'rendered'; rendering: Rendered; cpuUsage: NodeJS.CpuUsage };

/** Notes that ask for too much are shown as plain text. */
export type Rendered = { html: string; failure?: 'too_demanding' };

/** `crashed`: the thread ended over the notes. */
export type Rendering = Rendered | { html?: undefined; failure: 'over_budget' | 'crashed' };

export type RenderThread = {
  /** One rendering at a time. The thread is ended when it uses more processor time than the budget. */
  render(markdown: string): Promise<Rendering>;
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

/** Left to itself a thread takes many times this for what lives no longer than one rendering, and is not faster. */
const youngMegabytes = 12;

/** Starts a thread for renderings. By itself it does not keep the process alive. */
export function startRenderThread(options: RenderThreadOptions): RenderThread {
  const { budgetMilliseconds, memoryMegabytes, onReady, onEnd } = options;
  const worker = new Worker(new URL('./render-worker.ts', import.meta.url), {
    name: 'notes',
    resourceLimits: { maxOldGenerationSizeMb: memoryMegabytes, maxYoungGenerationSizeMb: youngMegabytes },
  });
  /** Undefined until the thread is ready for its first rendering. */
  let before: NodeJS.CpuUsage | undefined;
  let settle: ((rendering: Rendering) => void) | undefined;
  let endWatch: (() => void) | undefined;
  let hasEnded = false;

  /** Before the thread has stopped: an answer it still gets out must not earn it another rendering. */
  function end(failure: 'over_budget' | 'crashed'): void {
    if (hasEnded) return;
    hasEnded = true;
    settle?.({ failure });
    onEnd();
  }

  async function stop(failure: 'over_budget' | 'crashed' = 'crashed'): Promise<void> {
    end(failure);
    await worker.terminate();
  }

  worker.unref();
  worker.on('message', (message: WorkerMessage) => {
    if (hasEnded) return;
    if (message.state === 'loading') {
      endWatch?.();
      return;
    }
    const isFirst = before === undefined;
    before = message.cpuUsage;
    if (message.state === 'rendered') settle?.(message.rendering);
    else if (isFirst) onReady();
    else watch();
  });
  // Mostly the memory limit. The exit follows.
  worker.on('error', () => {});
  worker.on('exit', () => end('crashed'));

  function watch(): void {
    endWatch = watchProcessorBudget({
      milliseconds: budgetMilliseconds,
      used: async () => milliseconds(await worker.cpuUsage(before)),
      onExceeded: () => void stop('over_budget'),
    });
  }

  return {
    stop: () => stop(),
    render: (markdown) =>
      new Promise((resolve) => {
        watch();
        settle = (rendering) => {
          settle = undefined;
          endWatch?.();
          resolve(rendering);
        };
        worker.postMessage(markdown);
      }),
  };
}

function milliseconds(usage: NodeJS.CpuUsage): number {
  return (usage.user + usage.system) / 1000;
}
