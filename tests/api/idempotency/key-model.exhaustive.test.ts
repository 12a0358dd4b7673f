import test from 'ava';
import fc from 'fast-check';
import { openTasksDatabase } from '#resource-api/database/tasks-database.ts';
import { sweepRecords } from '#resource-api/idempotency/idempotency-repository.ts';
import { makeProject } from '#tests/support/factories.ts';
import { startStack } from '#tests/support/stack.ts';
import { isReplayed, keyed } from './keyed-requests.ts';

const stack = await startStack(test, { now: '2026-11-20T12:00:00Z' });
const database = openTasksDatabase({ url: stack.databaseUrl, poolSize: 2, waitMilliseconds: 20_000 });
test.after.always(() => database.close());

type Step =
  | { kind: 'send'; token: number; key: string; title: string }
  | { kind: 'pass'; hours: number }
  | { kind: 'sweep' };

const send = fc.record({
  kind: fc.constant('send' as const),
  token: fc.nat({ max: 1 }),
  key: fc.constantFrom('a', 'b'),
  // A section without a title is refused.
  title: fc.constantFrom('one', 'two', ''),
});
const pass = fc.record({ kind: fc.constant('pass' as const), hours: fc.constantFrom(1, 23, 24) });
const steps: fc.Arbitrary<Step[]> = fc.array(
  fc.oneof(
    { arbitrary: send, weight: 6 },
    { arbitrary: pass, weight: 1 },
    { arbitrary: fc.constant({ kind: 'sweep' as const }), weight: 1 },
  ),
  { minLength: 4, maxLength: 16 },
);

type Outcome = { status: number; isReplayed: boolean; body: unknown };
type Remembered = { title: string; body: unknown; hour: number };

/** What the service promises, in a map and hours: `made` is the body of what is made now. */
function createModel() {
  const remembered = new Map<string, Remembered>();
  let hour = 0;
  return {
    pass(hours: number): void {
      hour += hours;
    },
    outcome(place: string, title: string, made: unknown): Outcome {
      if (title === '') return { status: 400, isReplayed: false, body: undefined };
      const known = remembered.get(place);
      if (known !== undefined && hour - known.hour < 24) {
        if (known.title !== title) return { status: 409, isReplayed: false, body: undefined };
        return { status: 201, isReplayed: true, body: known.body };
      }
      remembered.set(place, { title, body: made, hour });
      return { status: 201, isReplayed: false, body: made };
    },
  };
}

/** Takes the steps with a new account; the outcomes of its requests, those of the model, and how many sections it has. */
async function take(sequence: readonly Step[]) {
  const owner = await stack.newClient();
  const clients = [owner, stack.client(await stack.createToken(owner.account))];
  const { id } = await makeProject(owner);
  const model = createModel();
  const outcomes: Outcome[] = [];
  const expected: Outcome[] = [];
  for (const step of sequence) {
    if (step.kind === 'pass') {
      stack.clock.advance(step.hours * 3_600_000);
      model.pass(step.hours);
    } else if (step.kind === 'sweep') {
      await sweepRecords(database, stack.clock);
    } else {
      const { token, key, title } = step;
      const answer = await keyed(clients[token] ?? owner, key).post(`/projects/${id}/sections`, { title });
      const body = answer.status === 201 ? answer.body : undefined;
      outcomes.push({ status: answer.status, isReplayed: isReplayed(answer), body });
      expected.push(model.outcome(`${token} ${key}`, title, body));
    }
  }
  const { body: project } = await owner.get<{ sections: unknown[] }>(`/projects/${id}`);
  return { outcomes, expected, sections: project.sections.length };
}

test('keys are as good as the model says, whatever is sent, however much time passes', async (t) => {
  await fc.assert(
    fc.asyncProperty(steps, async (sequence) => {
      const { outcomes, expected, sections } = await take(sequence);
      t.deepEqual(outcomes, expected);
      t.is(sections, expected.filter(({ status, isReplayed: again }) => status === 201 && !again).length);
    }),
    { numRuns: 25 },
  );
});
