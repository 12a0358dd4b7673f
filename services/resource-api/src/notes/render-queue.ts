export type RenderJob = {
  markdown: string;
  /** By the clock of `performance`. */
  wantedAt: number;
  settle(html: string | undefined): void;
};

export type RenderQueue = {
  /** Takes a job in. When that makes one too many, the longest job of all is handed back. */
  add(job: RenderJob): RenderJob | undefined;
  /** The shortest job; of equal ones, the first come. Long ones only if asked for. */
  take(includingLong: boolean): RenderJob | undefined;
  remove(job: RenderJob): void;
  size(): number;
  /** Whether what waits includes what is taken only if asked for. */
  holdsLong(): boolean;
  clear(): RenderJob[];
};

/** Notes up to this length never needed more than a tenth of a second, whatever was tried on them. */
const maxShortLength = 2_000;

/** Renderings that wait, shortest first: what somebody makes slow by its length delays only its like. */
export function createRenderQueue(maxQueued: number): RenderQueue {
  let jobs: RenderJob[] = [];

  return {
    add(job) {
      const behind = jobs.findIndex((other) => other.markdown.length > job.markdown.length);
      jobs.splice(behind === -1 ? jobs.length : behind, 0, job);
      return jobs.length > maxQueued ? jobs.pop() : undefined;
    },
    take(includingLong) {
      const [first] = jobs;
      return first && (includingLong || !isLong(first)) ? jobs.shift() : undefined;
    },
    remove(job) {
      jobs = jobs.filter((other) => other !== job);
    },
    size: () => jobs.length,
    holdsLong: () => jobs.some(isLong),
    clear() {
      const waiting = jobs;
      jobs = [];
      return waiting;
    },
  };
}

function isLong({ markdown }: RenderJob): boolean {
  return markdown.length > maxShortLength;
}
