import test from 'ava';
import { createDatabaseCircuit } from '#shared/database/database-circuit.ts';
import { waitFor } from '../support/wait-for.ts';

/** A circuit over a database of which the test says whether it answers. */
function createTrial() {
  const world = { isAnswering: false, isEnding: false, probes: 0, atOnce: 0, mostAtOnce: 0, sawEnd: false };
  const probe = async (): Promise<void> => {
    world.probes += 1;
    world.atOnce += 1;
    world.mostAtOnce = Math.max(world.mostAtOnce, world.atOnce);
    await new Promise((resolve) => setImmediate(resolve));
    world.atOnce -= 1;
    if (!world.isAnswering) throw new Error('gone');
  };
  const circuit = createDatabaseCircuit({
    probe,
    isEnding: () => {
      world.sawEnd = world.isEnding;
      return world.isEnding;
    },
  });
  const isClosed = (): boolean => {
    try {
      circuit.check();
      return true;
    } catch {
      return false;
    }
  };
  return { world, circuit, isClosed };
}

test('nothing is refused or probed while the database answers', (t) => {
  const { world, circuit } = createTrial();
  t.notThrows(() => circuit.check());
  t.deepEqual([world.probes, circuit.outages()], [0, 0]);
});

test('everything is refused until a probe is answered, and one probe is under way at a time', async (t) => {
  const { world, circuit, isClosed } = createTrial();
  for (const failure of ['first', 'second', 'third']) circuit.open(new Error(failure));
  t.throws(() => circuit.check(), { code: 'DATABASE_UNAVAILABLE' });
  await waitFor(() => world.probes >= 3);
  t.throws(() => circuit.check(), { code: 'DATABASE_UNAVAILABLE' });
  world.isAnswering = true;
  await waitFor(isClosed);
  t.deepEqual([circuit.outages(), world.mostAtOnce], [1, 1]);
});

test('each outage is counted', async (t) => {
  const { world, circuit, isClosed } = createTrial();
  world.isAnswering = true;
  for (const outages of [1, 2]) {
    circuit.open(new Error('gone'));
    t.is(circuit.outages(), outages);
    await waitFor(isClosed);
  }
});

test('a process that ends stops asking', async (t) => {
  const { world, circuit } = createTrial();
  circuit.open(new Error('gone'));
  await waitFor(() => world.probes >= 2);
  world.isEnding = true;
  await waitFor(() => world.sawEnd);
  const { probes } = world;
  circuit.open(new Error('gone again'));
  await new Promise((resolve) => setImmediate(resolve));
  t.is(world.probes, probes);
});
