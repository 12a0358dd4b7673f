import { styleText } from 'node:util';

export type TestCounts = { passed: number; failed: number; skipped: number };

/** Reads ava's TAP (version 13) line by line: `push` answers what to print for a line, undefined for nothing. */
export type TapReport = {
  push(line: string): string | undefined;
  failures(): readonly string[];
  /** ava's own totals; undefined when it ended before it had any. */
  counts(): TestCounts | undefined;
};

const resultLine = /^(ok|not ok) \d+ - (.*?)( # SKIP| # TODO)?$/;
/** The start of the report, what separates its parts, and hooks that logged nothing. */
const noise = /^TAP version|^$|^# .*\bhook\b.*$/;
const totalLine = /^# (tests|pass|skip|fail) (\d+)$/;

export function createTapReport(): TapReport {
  const failures: string[] = [];
  const totals = new Map<string, number>();
  // A test may log lines that look like totals; ava's own follow the plan, which comes last.
  let isPlanSeen = false;

  const reportResult = (result: string, title: string, directive: string | undefined): string => {
    if (directive !== undefined) return `${styleText('yellow', '-')} ${title}${directive.toLowerCase()}`;
    if (result === 'ok') return `${styleText('green', '✔')} ${title}`;
    failures.push(title);
    return `${styleText('red', '✘')} ${title}`;
  };

  return {
    push(line) {
      if (/^1\.\.\d+$/.test(line)) isPlanSeen = true;
      const [, name, count] = (isPlanSeen && totalLine.exec(line)) || [];
      if (name !== undefined) totals.set(name, Number(count));
      if (isPlanSeen || noise.test(line)) return undefined;
      const [, result, title, directive] = resultLine.exec(line) ?? [];
      return result === undefined || title === undefined ? line : reportResult(result, title, directive);
    },
    failures: () => failures,
    counts() {
      const passed = totals.get('pass');
      const failed = totals.get('fail');
      if (passed === undefined || failed === undefined) return undefined;
      return { passed, failed, skipped: totals.get('skip') ?? 0 };
    },
  };
}

/** The line that ends a run. A run that broke off is never shown as one without failures. */
export function closingLine(counts: TestCounts | undefined, exitCode: number): string {
  const { passed, failed, skipped } = counts ?? { passed: 0, failed: 0, skipped: 0 };
  const shownFailures = exitCode === 0 ? failed : Math.max(failed, 1);
  return `${passed} passed, ${shownFailures} failed${skipped > 0 ? `, ${skipped} skipped` : ''}`;
}
