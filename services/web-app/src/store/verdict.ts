import { capital } from '../words/capital.ts';
import type { Answer } from './api.ts';
import type { PlanCap } from './outbox-record.ts';

/** The meaning of a response for its record. */
export type Verdict =
  | { kind: 'accepted' }
  /** Nothing was changed, or the outcome is unknown: the outbox waits. */
  | { kind: 'later'; seconds: number | null; isUnknown: boolean }
  /** The server has another version of the row. */
  | { kind: 'changed' }
  | { kind: 'fault' }
  | { kind: 'suspended' }
  | { kind: 'limit'; limit: PlanCap; message: string }
  | { kind: 'gone' | 'state' | 'invalid'; message: string };

export type RefusedVerdict = Extract<Verdict, { kind: 'limit' | 'gone' | 'state' | 'invalid' }>;

const limits = new Map<unknown, PlanCap>([
  ['project_limit_reached', 'projects'],
  ['area_limit_reached', 'areas'],
  ['premium_required', 'deadline'],
  ['storage_limit_reached', 'storage'],
]);

export function judge({ status, body, retryAfterSeconds: seconds }: Answer): Verdict {
  if (status >= 200 && status < 300) return { kind: 'accepted' };
  const { errorCode, message } = readProblem(body);
  if (status === 500) return { kind: 'fault' };
  // A 503 may be the response to a lost COMMIT.
  if (status > 500 || status === 408) return { kind: 'later', seconds, isUnknown: true };
  if (status === 429) return { kind: 'later', seconds, isUnknown: false };
  if (status === 423) return { kind: 'suspended' };
  if (status === 404) return { kind: 'gone', message };
  const limit = limits.get(errorCode);
  if (status === 403 && limit !== undefined) return { kind: 'limit', limit, message };
  if (status === 409 && errorCode === 'invalid_state') return { kind: 'state', message };
  if (status === 409 && errorCode === 'version_changed') return { kind: 'changed' };
  return { kind: 'invalid', message };
}

function readProblem(body: unknown): { errorCode: unknown; message: string } {
  const { errorCode, message, errors } = membersOf(body);
  const details: unknown[] = Object.values(membersOf(errors)).filter(Array.isArray).flat();
  // The API's messages start with a field name.
  const said = details.filter(isText).join(' ') || message;
  return { errorCode, message: isText(said) ? capital(said) : '' };
}

function membersOf(value: unknown): Record<string, unknown> {
  return typeof value === 'object' ? { ...value } : {};
}

function isText(value: unknown): value is string {
  return typeof value === 'string';
}
