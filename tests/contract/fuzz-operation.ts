import { crc32 } from 'node:zlib';
import fc from 'fast-check';
import type { Stack } from '#tests/support/stack.ts';
import { asCommand, type FilledRequest, type FuzzRequest, toWire } from './fuzz-request.ts';
import { createFuzzWorld, type FuzzWorld, type Plan } from './fuzz-world.ts';
import type { ResolveSchema } from './json-schema.ts';
import type { Answer } from './known-resources.ts';
import { createOAuthSupply } from './oauth-supply.ts';
import type { Operation } from './operations.ts';
import { permittedRefusal } from './permitted-refusals.ts';
import { validRequests } from './valid-requests.ts';
import { type Breach, violationsOf } from './violations.ts';

export type FuzzOptions = {
  stack: Stack;
  resolve: ResolveSchema;
  seed: number;
  validRuns: number;
  invalidRuns: number;
};

export type OperationResult = {
  operation: string;
  /** Valid requests sent, and those of them that were done. */
  valid: number;
  done: number;
  /** Refused valid requests, by what speaks for the refusal. */
  refused: Map<string, number>;
  /** Requests with one violation, by its kind. */
  invalid: Map<string, number>;
  /** What should not have been, each with its smallest request. */
  failures: string[];
};

/** For one kind of request of one operation, the search for the smallest failing one included. */
const maximumMilliseconds = 600_000;

type Session = {
  options: FuzzOptions;
  operation: Operation;
  world(): Promise<FuzzWorld>;
};

/** Sends valid requests of an operation, and for each kind of violation its share of invalid ones. */
export async function fuzzOperation(operation: Operation, options: FuzzOptions): Promise<OperationResult> {
  const result = {
    operation: operation.id,
    valid: 0,
    done: 0,
    refused: new Map(),
    invalid: new Map(),
    failures: [] as string[],
  };
  const session: Session = { options, operation, world: worldsInTurn(options.stack) };
  const valid = validRequests(operation, options.resolve);

  await search(session, valid, options.validRuns, result.failures, 'valid', async (request, world) => {
    result.valid += 1;
    const answer = await exchange(session, request, world);
    if (isDone(operation, answer)) {
      result.done += 1;
      return contentFault(request, answer);
    }
    const reason = permittedRefusal(world, request, answer);
    if (reason !== undefined) count(result.refused, reason);
    return reason === undefined
      ? `a valid request was refused: ${answer.status} ${JSON.stringify(answer.body)}`
      : undefined;
  });

  const violations = violationsOf(operation, options.resolve);
  for (const { kind, breaks } of violations) {
    const broken = fc.tuple(valid, fc.nat(breaks.length - 1));
    const runs = Math.ceil(options.invalidRuns / violations.length);
    await search(
      session,
      broken,
      runs,
      result.failures,
      kind,
      async (request, world, chosen) => {
        count(result.invalid, kind);
        return chosen?.judge(await exchange(session, request, world));
      },
      breaks,
    );
  }
  return result;
}

type Verdict = (
  request: FilledRequest,
  world: FuzzWorld,
  breach: Breach | undefined,
) => Promise<string | undefined>;

async function search(
  session: Session,
  requests: fc.Arbitrary<FuzzRequest> | fc.Arbitrary<[FuzzRequest, number]>,
  numRuns: number,
  failures: string[],
  kind: string,
  verdict: Verdict,
  breaks: readonly Breach[] = [],
): Promise<void> {
  let smallest: string | undefined;
  const property = fc.asyncProperty<[FuzzRequest | [FuzzRequest, number]]>(requests, async (generated) => {
    const [request, choice] = Array.isArray(generated) ? generated : [generated, -1];
    const breach = breaks[choice];
    const world = await session.world();
    const filled = await world.fill(breach?.apply(request) ?? request);
    const fault = await verdict(filled, world, breach).catch(messageOf);
    if (fault === undefined) return;
    smallest = `${fault}\n    ${asCommand(toWire(filled), session.options.stack.baseUrl)}`;
    throw new Error(fault);
  });
  const seed = session.options.seed ^ crc32(`${session.operation.id} ${kind}`);
  const details = await fc.check(property, { numRuns, seed, interruptAfterTimeLimit: maximumMilliseconds });
  // Each failing run is smaller than the one before.
  if (details.failed)
    failures.push(`${session.operation.id}, ${kind}: ${smallest ?? messageOf(details.errorInstance)}`);
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

/** Sends it and holds the answer against the document. Throws for what no operation may ever answer. */
async function exchange({ options }: Session, request: FilledRequest, world: FuzzWorld): Promise<Answer> {
  const { method, target, headers, body } = toWire(request);
  // The client would name a type where none is to be sent.
  if (request.headers['Content-Type'] === '') headers['Content-Type'] = '';
  const answer = await options.stack.site.request<unknown>(method, target, { headers, body });
  world.observe(request, answer);
  const fault = answerFault(request, answer);
  if (fault !== undefined) throw new Error(fault);
  return answer;
}

function answerFault({ headers }: FilledRequest, answer: Answer): string | undefined {
  const { status, body } = answer;
  if (status >= 500) return `${status}: ${JSON.stringify(body)}`;
  const requestId = answer.headers.get('x-request-id');
  const quoted = (body as { requestId?: string } | undefined)?.requestId;
  if (quoted !== undefined && quoted !== requestId)
    return `requestId ${quoted} is not the header’s ${requestId}`;
  if (requestId === null || requestId === headers['X-Request-Id']) return `the X-Request-Id is ${requestId}`;
  return undefined;
}

/** Consent and error pages of `/oauth/authorize` differ by status; everything else is done when it is 2xx. */
function isDone({ id }: Operation, { status }: Answer): boolean {
  return id === 'authorize' ? status === 200 : status < 300 || status === 304;
}

/** Texts come back as they were sent; no notes and empty notes are one. */
function contentFault({ body: sent }: FilledRequest, { body: got }: Answer): string | undefined {
  const [wanted, stored] = [sent, got].map(
    (value) => (typeof value === 'object' ? value : {}) as Record<string, unknown>,
  );
  const changed = ['title', 'description'].filter((name) => {
    const text = wanted?.[name];
    return typeof text === 'string' && stored && name in stored && (stored[name] ?? '') !== text;
  });
  return changed.length === 0 ? undefined : `${changed.join(', ')} came back changed`;
}

/** Plans in turn, and a new account whenever one is worn, so that lists stay short. */
function worldsInTurn(stack: Stack): () => Promise<FuzzWorld> {
  const oauth = createOAuthSupply(stack);
  const worlds: Partial<Record<Plan, FuzzWorld>> = {};
  let turn = 0;
  return async () => {
    turn += 1;
    const plan = turn % 4 === 0 ? 'free' : 'premium';
    const present = worlds[plan];
    const world =
      present === undefined || present.isWorn() ? await createFuzzWorld(stack, oauth, plan) : present;
    worlds[plan] = world;
    return world;
  };
}

function count(counts: Map<string, number>, name: string): void {
  counts.set(name, (counts.get(name) ?? 0) + 1);
}
