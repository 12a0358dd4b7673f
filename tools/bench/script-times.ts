import type { CDPSession, Page } from 'playwright-core';

/** A complete event of a trace: times in microseconds, `tdur` is processor time of its thread. */
type TraceEvent = {
  name: string;
  ph: string;
  pid: number;
  tid: number;
  ts: number;
  dur?: number;
  tdur?: number;
  args?: { data?: { message?: string }; elementCount?: number };
};

/** Milliseconds of script in a frame, and the number of restyled elements. */
export type Frame = { script: number; restyled: number };

/**
 * Events of running script, however it was started. Nested ones are not counted twice, the bench's own not at
 * all.
 */
const scriptEvents = new Set([
  'EventDispatch',
  'FireAnimationFrame',
  'TimerFire',
  'FunctionCall',
  'RunMicrotasks',
  'EvaluateScript',
  'MinorGC',
  'MajorGC',
]);
const frameMark = 'bench frame';
/** A list that grows under the pointer has no end. */
const maximumMilliseconds = 5 * 60_000;

/** Scrolls the list of the page from its start to its end, `step` pixels a frame. */
export async function scrollToEnd(page: Page, session: CDPSession, step: number): Promise<Frame[]> {
  const events: TraceEvent[] = [];
  session.on('Tracing.dataCollected', ({ value }) => {
    events.push(...JSON.parse(JSON.stringify(value)));
  });
  await session.send('Tracing.start', {
    transferMode: 'ReportEvents',
    traceConfig: { includedCategories: ['devtools.timeline', 'v8', 'disabled-by-default-v8.gc'] },
  });
  await page.evaluate(`new Promise((resolve, reject) => {
    const list = document.querySelector('.page');
    const end = performance.now() + ${maximumMilliseconds};
    let last = -1;
    const frame = () => {
      console.timeStamp(${JSON.stringify(frameMark)});
      if (list.scrollTop === last) return resolve();
      if (performance.now() > end) return reject(new Error('the end of the list was not reached'));
      last = list.scrollTop;
      list.scrollTop += ${step};
      requestAnimationFrame(frame);
    };
    requestAnimationFrame(frame);
  })`);
  const ended = new Promise<void>((resolve) => session.once('Tracing.tracingComplete', () => resolve()));
  await session.send('Tracing.end');
  await ended;
  return framesOf(events);
}

function framesOf(events: readonly TraceEvent[]): Frame[] {
  const isMark = ({ name, args }: TraceEvent) => name === 'TimeStamp' && args?.data?.message === frameMark;
  const marks = events.filter(isMark).toSorted((left, right) => left.ts - right.ts);
  const [first] = marks;
  if (first === undefined) throw new Error('the trace has no frame');
  const complete = events.filter(({ ph, pid, tid }) => ph === 'X' && pid === first.pid && tid === first.tid);
  const scripts = outermost(complete.filter(({ name }) => scriptEvents.has(name)));
  const restyles = complete.filter(({ name }) => name === 'UpdateLayoutTree');
  // A frame lasts from one mark to the next. The script with the mark only scrolls.
  return marks.slice(0, -1).map(({ ts }, place) => {
    const until = marks[place + 1]?.ts ?? ts;
    const isOwn = (event: TraceEvent) => event.ts > ts && endOf(event) <= until;
    const microseconds = scripts.filter(isOwn).reduce((sum, { tdur, dur = 0 }) => sum + (tdur ?? dur), 0);
    const restyled = restyles.filter(isOwn).reduce((sum, { args }) => sum + (args?.elementCount ?? 0), 0);
    return { script: microseconds / 1_000, restyled };
  });
}

function outermost(events: readonly TraceEvent[]): TraceEvent[] {
  let end = Number.NEGATIVE_INFINITY;
  return events
    .toSorted((left, right) => left.ts - right.ts || endOf(right) - endOf(left))
    .filter((event) => {
      const isInside = endOf(event) <= end;
      end = Math.max(end, endOf(event));
      return !isInside;
    });
}

function endOf({ ts, dur = 0 }: TraceEvent): number {
  return ts + dur;
}
