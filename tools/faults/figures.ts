import type { ClientAnswer } from './keep-alive-client.ts';

/** A request with its outcome. */
export type RequestRecord = Pick<ClientAnswer, 'outcome' | 'sentAt' | 'milliseconds'> & {
  kind: 'read' | 'write';
  /** Of a 503: whether it has the API's shape and Retry-After. */
  isWellFormed: boolean;
};

export function recordOf(kind: RequestRecord['kind'], answer: ClientAnswer): RequestRecord {
  const { outcome, sentAt, milliseconds, headers, body } = answer;
  const isProblem = /"errorType":"unavailable".*"errorCode":"service_unavailable"/.test(body);
  const isWellFormed = outcome !== 503 || (/^\d+$/.test(String(headers['retry-after'])) && isProblem);
  return { kind, outcome, sentAt, milliseconds, isWellFormed };
}

export function isSuccess({ outcome }: Pick<ClientAnswer, 'outcome'>): boolean {
  return typeof outcome === 'number' && outcome < 300;
}

/** «200 × 812, 503 × 14, ECONNRESET × 1» */
export function describeOutcomes(answers: readonly Pick<ClientAnswer, 'outcome'>[]): string {
  const groups = [...Map.groupBy(answers, ({ outcome }) => String(outcome))];
  const sorted = groups.toSorted(([left], [right]) => left.localeCompare(right));
  return sorted.map(([outcome, of]) => `${outcome} × ${of.length}`).join(', ') || 'no request';
}

/** In milliseconds. */
export function longestOf(answers: readonly Pick<ClientAnswer, 'milliseconds'>[]): number {
  return Math.round(answers.reduce((longest, { milliseconds }) => Math.max(longest, milliseconds), 0));
}

/** Milliseconds from `at` until the last failed request was sent. */
export function millisecondsUntilHealthy(
  answers: readonly Pick<ClientAnswer, 'outcome' | 'sentAt'>[],
  at: number,
): number {
  const failures = answers.filter((answer) => !isSuccess(answer)).map(({ sentAt }) => sentAt);
  return Math.max(0, Math.round(Math.max(at, ...failures) - at));
}

/**
 * Outcomes other than success and a well-formed 503, the only ones that clients may see while a store fails.
 */
export function unexpectedOutcomes(requests: readonly RequestRecord[]): string[] {
  const strange = requests.filter((request) => !isSuccess(request) && request.outcome !== 503);
  const malformed = requests.filter(({ isWellFormed }) => !isWellFormed);
  return [
    ...(strange.length === 0 ? [] : [`neither success nor 503: ${describeOutcomes(strange)}`]),
    ...(malformed.length === 0 ? [] : [`${malformed.length} × 503 without Retry-After or the API’s shape`]),
  ];
}
