import fc from 'fast-check';
import { newAccount } from './account-state.ts';
import { type Call, describeEpisode, type Episode, explainingOrder, seeOutcome } from './linearizability.ts';
import { type Destination, type Operation, taskTransitions } from './operation.ts';
import { applyOperation } from './reference-model.ts';
import { answerDifferences, bindCreated } from './run-history.ts';
import { requestFor, type Send } from './send-operation.ts';

/* Several clients, each over its own connection, who all want something of one task or of the project it is in. */

export type Interleaving = {
  /** Where the task is at first. */
  place: Destination;
  isRepeating: boolean;
  /** Of each client, what it asks for one after the other. */
  clients: Operation[][];
};

const task = 'task 3';
const [home, elsewhere] = ['project 1', 'project 2'];
/** Far from today, so that no completion is late. */
const dueDate = '2199-01-01';
const places: fc.Arbitrary<Destination> = fc.constantFrom(
  { list: 'inbox' },
  { list: 'someday' },
  { projectId: home },
);
const operations: fc.Arbitrary<Operation> = fc.oneof(
  {
    arbitrary: fc.record({ do: fc.constantFrom(...taskTransitions), id: fc.constant(task) }),
    weight: 12,
  },
  {
    arbitrary: fc.record({
      do: fc.constant('move task' as const),
      id: fc.constant(task),
      destination: fc.oneof(places, fc.constant({ projectId: elsewhere })),
    }),
    weight: 3,
  },
  {
    arbitrary: fc.record({
      do: fc.constant('patch task' as const),
      id: fc.constant(task),
      patch: fc.record(
        {
          title: fc.constantFrom('Renamed', 'Renamed again'),
          description: fc.constantFrom(null, 'notes'),
          dueDate: fc.constantFrom(null, dueDate, '2199-02-01'),
        },
        { requiredKeys: [] },
      ),
    }),
    weight: 4,
  },
  {
    arbitrary: fc.record({
      do: fc.constant('complete project' as const),
      id: fc.constant(home),
      completeChildTasks: fc.boolean(),
    }),
    weight: 1,
  },
  {
    arbitrary: fc.record({
      do: fc.constantFrom('uncomplete project' as const, 'trash project' as const),
      id: fc.constant(home),
    }),
    weight: 1,
  },
  {
    arbitrary: fc.record({
      do: fc.constant('create task' as const),
      fields: fc.record({ title: fc.constant('Added'), projectId: fc.constant(home) }),
    }),
    weight: 1,
  },
);

/** Two to four clients with at most six operations between them. */
export const interleavings: fc.Arbitrary<Interleaving> = fc.record({
  place: places,
  isRepeating: fc.boolean(),
  clients: fc
    .array(fc.array(operations, { minLength: 1, maxLength: 3 }), { minLength: 2, maxLength: 4 })
    .filter((clients) => clients.flat().length <= 6),
});

/** No order of the requests explains what came of them. */
class NotExplained extends Error {
  constructor(episode: Episode) {
    super(`no order explains\n${describeEpisode(episode)}`);
    this.name = 'NotExplained';
  }
}

/** Runs one interleaving on an empty Premium account; throws NotExplained. Answers the statuses of the race. */
export async function runInterleaving(
  senders: readonly Send[],
  today: string,
  wanted: Interleaving,
): Promise<number[]> {
  const [first = unreachable] = senders;
  const { state, names } = await prepare(first, today, wanted);
  const raced = await Promise.all(
    wanted.clients.map(async (operations, client) => {
      const calls: Call[] = [];
      for (const operation of operations) {
        const sentAt = performance.now();
        const response = await (senders[client % senders.length] ?? first)(requestFor(operation, names));
        calls.push({ operation, response, sentAt, answeredAt: performance.now() });
      }
      return calls;
    }),
  );
  const calls = raced.flat();
  const episode: Episode = { state, names, today, calls, outcome: await seeOutcome(first) };
  if (explainingOrder(episode) === undefined) throw new NotExplained(episode);
  return calls.map(({ response }) => response.status);
}

const unreachable: Send = () => Promise.reject(new Error('an interleaving needs a way to send'));

async function prepare(send: Send, today: string, { place, isRepeating }: Interleaving) {
  const names = new Map<string, string>();
  let state = newAccount('premium');
  const repeating = isRepeating ? { dueDate, recurrence: { frequency: 'daily' as const } } : {};
  const beginnings: Operation[] = [
    { do: 'create project', fields: { title: 'Home' } },
    { do: 'create project', fields: { title: 'Elsewhere' } },
    { do: 'create task', fields: { title: 'Wanted', ...withoutNull(place), ...repeating } },
  ];
  for (const operation of beginnings) {
    const { state: next, answer } = applyOperation(state, operation, today);
    const response = await send(requestFor(operation, names));
    bindCreated(names, answer, response);
    const differences = answerDifferences(next, names, answer, response);
    if (differences.length > 0) throw new Error(`the interleaving could not begin: ${differences}`);
    state = next;
  }
  return { state, names };
}

function withoutNull({ list, projectId }: Destination) {
  return { ...(list && { list }), ...(projectId && { projectId }) };
}
