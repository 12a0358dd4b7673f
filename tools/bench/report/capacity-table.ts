import { markdownTable } from '#tests/support/markdown-table.ts';
import type { CaseResult } from './results-file.ts';

const columns = ['request', 'its service', 'PostgreSQL', 'Redis'];
const unmeasured = 'not measured';

/** Which finding tells what a request takes. */
const requests: readonly [what: string, caseId: string, findingId: string][] = [
  ['`/me`', 'identity', 'bare-server'],
  ['one task', 'one-task', 'bare-server'],
  ['a poll with an `updatedSince` later than any change', 'empty-poll', 'bare-server'],
  [
    'a poll with the greatest `updatedAt` seen, as mirrors poll: the last task comes again',
    'recipe-poll',
    'bare-server',
  ],
  ['a page of 50 tasks (38 kB)', 'page-of-50', 'bare-server'],
  ['complete a repeating task', 'complete-repeating', 'create'],
  ['create a task with 1 kB of Markdown', 'create-task', 'transaction'],
  ['refresh, at auth-server', 'refresh', 'memory'],
  ['connect an app, at auth-server; a sign-in adds one password hash', 'authorization-flow', 'per-core'],
];

/** A Markdown table of the processor time that each process needs for a request, in milliseconds. */
export function capacityTable(results: readonly CaseResult[]): string {
  const rows = requests.map(([what, caseId, findingId]) => {
    const { findings = [] } = results.find(({ id }) => id === caseId) ?? {};
    const { processor, stores } = findings.find(({ id }) => id === findingId) ?? {};
    return [what, ...[processor?.ours, stores?.database, stores?.redis].map(shown)];
  });
  return markdownTable(columns, rows, ['---', '---:', '---:', '---:']);
}

function shown(milliseconds: number | undefined): string {
  if (milliseconds === undefined || !Number.isFinite(milliseconds)) return unmeasured;
  return milliseconds.toFixed(milliseconds < 1 ? 2 : milliseconds < 10 ? 1 : 0);
}
