import { apiRootPath } from '#shared/http/protected-resource-urls.ts';
import { encodeRequest, sharedSources } from '../measure/http-request.ts';
import { interleave } from '../measure/interleave.ts';
import type { BenchCase } from '../report/bench-case.ts';
import { compareProcessorTime } from '../report/compare-rounds.ts';
import { issueAccessTokens } from '../stage/access-tokens.ts';
import type { Client } from '../stage/clients.ts';
import { httpContender } from '../stage/contender.ts';
import type { ServerProcess } from '../stage/server-process.ts';
import { requestsOf } from '../stage/world-requests.ts';

type Name = 'nobody' | 'personal' | 'warm' | 'cold';

const path = `${apiRootPath}/tasks`;
/** Few enough to be seen again soon. */
const warmClients = 2_000;
/** The service remembers 10,000 verified tokens: taken in turn, more of them are new to it each time. */
const coldTokens = 12_000;

export const authentication: BenchCase = {
  id: 'authentication',
  what: 'a page of 50 tasks with a JWT, with a personal token, and without authentication',
  goal: 'processor time: JWT ≤ 1.02 times that without authentication, 1.20 when it was not seen before; personal token ≤ 1.15 times JWT',
  async run(bench) {
    const world = await bench.world();
    const clients = world.clients.slice(0, warmClients);
    const warm = await issueAccessTokens(world, clients, clients.length);
    const cold = await issueAccessTokens(world, world.clients, coldTokens);
    const start = { service: 'resource-api', databaseUrl: world.databaseUrl } as const;
    const contenderOf = (name: Name, server: ServerProcess, requests: readonly Buffer[]) =>
      httpContender(bench, { name, servers: [server], sources: sharedSources(requests) });
    const withTokens = (of: readonly Client[], tokens: readonly string[]) =>
      tokens.map((token, index) =>
        encodeRequest({ path, token, address: of[index % of.length]?.address ?? '' }),
      );
    const requests: Record<Name, Buffer[]> = {
      nobody: clients.map(believedRequest),
      warm: withTokens(clients, warm),
      cold: withTokens(world.clients, cold),
      personal: requestsOf(clients, () => ({ path: '/tasks' })),
    };
    const rounds = await interleave<Name>(async (parts) => {
      const service = parts.use(await bench.startService(start));
      const open = parts.use(await bench.startService({ ...start, variant: 'without-authentication' }));
      return [
        contenderOf('nobody', open, requests.nobody),
        contenderOf('warm', service, requests.warm),
        contenderOf('cold', service, requests.cold),
        contenderOf('personal', service, requests.personal),
      ];
    }, bench);
    const compare = (ours: Name, reference: Name, what: string, atMost: number) =>
      compareProcessorTime(rounds, {
        id: `${ours}-${reference}`,
        what,
        goal: `≤ ${atMost}`,
        bound: { atMost },
        ours,
        reference,
      });
    return [
      compare('warm', 'nobody', 'processor time: JWT seen before, against none', 1.02),
      compare('cold', 'nobody', 'processor time: JWT not seen before, against none', 1.2),
      compare('personal', 'warm', 'processor time: personal token, against JWT', 1.15),
    ];
  },
};

function believedRequest({ accountId, tokenId, address }: Client): Buffer {
  return encodeRequest({ path, address, headers: { Authorization: `Believe ${accountId} ${tokenId}` } });
}
