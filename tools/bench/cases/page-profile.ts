import { mkdirSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import type { CpuProfile } from '../measure/cpu-profile.ts';
import { sharedSources } from '../measure/http-request.ts';
import type { BenchCase } from '../report/bench-case.ts';
import { timeGroups } from '../report/time-groups.ts';
import type { Bench } from '../stage/bench.ts';
import { httpContender } from '../stage/contender.ts';
import { requestsOf } from '../stage/world-requests.ts';

const samplingMicroseconds = 200;
/** The first of two loads, equally long: the start of the process, and code that is not compiled yet. */
const skippedShare = 0.5;
const blocksPerLoad = 7;

export const pageProfile: BenchCase = {
  id: 'page-profile',
  what: 'where the processor time of a page of 50 tasks goes',
  goal: 'none',
  async run(bench) {
    const { profile, milliseconds } = await recordProfile(bench);
    const duration = profile.timeDeltas.reduce((sum, time) => sum + time, 0);
    const shares = timeGroups(profile, skippedShare * duration).map((group) => ({
      ...group,
      microseconds: 1_000 * milliseconds * group.share,
    }));
    return [
      {
        id: 'shares',
        what: 'page of 50 tasks: where resource-api’s processor time goes',
        goal: 'none',
        state: 'told',
        measured: shares.map(({ name, share }) => `${name} ${Math.round(100 * share)} %`).join('; '),
        processor: { ours: milliseconds },
        shares,
      },
    ];
  },
};

type RecordedProfile = {
  profile: CpuProfile;
  /** Of processor time for a request of the second load. */
  milliseconds: number;
};

/** Node writes a profile for each thread when the process ends; the main thread's is the one that talks to the database. */
async function recordProfile(bench: Bench): Promise<RecordedProfile> {
  const directory = path.join(bench.directory, 'profile');
  mkdirSync(directory);
  const { databaseUrl, clients } = await bench.world();
  let milliseconds: number;
  {
    await using service = await bench.startService({
      service: 'resource-api',
      databaseUrl,
      // The same code, in files whose names say what it is for.
      script: 'services/resource-api/src/main.ts',
      nodeArguments: [
        '--cpu-prof',
        `--cpu-prof-dir=${directory}`,
        `--cpu-prof-interval=${samplingMicroseconds}`,
      ],
    });
    const sources = sharedSources(requestsOf(clients, () => ({ path: '/tasks' })));
    const { run } = httpContender(bench, { name: 'service', servers: [service], sources });
    await run(blocksPerLoad * bench.blockMilliseconds);
    milliseconds = (await run(blocksPerLoad * bench.blockMilliseconds)).processor.server;
  }
  const profiles = readdirSync(directory).map(
    (name): CpuProfile => JSON.parse(readFileSync(path.join(directory, name), 'utf8')),
  );
  const main = profiles.find(({ nodes }) => nodes.some(({ callFrame }) => callFrame.url.includes('/pg/')));
  if (main === undefined) throw new Error('the service wrote no profile');
  return { profile: main, milliseconds };
}
