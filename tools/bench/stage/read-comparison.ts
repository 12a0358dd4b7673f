import { apiRootPath } from '#shared/http/protected-resource-urls.ts';
import type { Starts } from '../estimate.ts';
import { encodeRequest, sharedSources } from '../measure/http-request.ts';
import { interleave, type Round } from '../measure/interleave.ts';
import type { Bench } from './bench.ts';
import type { Client } from './clients.ts';
import { httpContender } from './contender.ts';
import { requireSameAnswers } from './same-answer.ts';

const comparedAnswers = 64;

export type ReadName = 'service' | 'bare-server' | 'entity-server';

/**
 * The service as production runs it, and references, all reading the same over HTTP. `pathFor`: what a client asks
 * for, below the API's root.
 */
export async function compareReads(
  bench: Bench,
  references: readonly Exclude<ReadName, 'service'>[],
  pathFor: (client: Client) => string,
): Promise<Starts<Round<ReadName>>> {
  const { databaseUrl, clients } = await bench.world();
  const ours = clients.map((client) =>
    encodeRequest({ path: apiRootPath + pathFor(client), token: client.token, address: client.address }),
  );
  const theirs = clients.map((client) =>
    encodeRequest({ path: apiRootPath + pathFor(client), headers: referenceHeaders(client) }),
  );
  return await interleave<ReadName>(async (parts) => {
    const service = parts.use(await bench.startService({ service: 'resource-api', databaseUrl }));
    const contenders = [
      httpContender<ReadName>(bench, { name: 'service', servers: [service], sources: sharedSources(ours) }),
    ];
    for (const name of references) {
      const server = parts.use(await bench.startReference(name, databaseUrl));
      await requireSameAnswers(
        { port: service.port, requests: sampleOf(ours) },
        { port: server.port, requests: sampleOf(theirs) },
        bench.signal,
      );
      contenders.push(
        httpContender<ReadName>(bench, { name, servers: [server], sources: sharedSources(theirs) }),
      );
    }
    return contenders;
  }, bench);
}

/** From all over the list, and of every account: neighbours belong to different ones. */
function sampleOf(requests: readonly Buffer[]): Buffer[] {
  const step = Math.ceil(requests.length / comparedAnswers) | 1;
  return requests.filter((_, index) => index % step === 0);
}

/** The references authenticate nobody: they are told whose data is meant. */
function referenceHeaders({ accountId, tokenId }: Client): Record<string, string> {
  return { 'X-Account': accountId, 'X-Token': tokenId };
}
