import { apiRootPath } from '#shared/http/protected-resource-urls.ts';
import { encodeRequest, sharedSources } from '../measure/http-request.ts';
import { interleave, type Round } from '../measure/interleave.ts';
import type { Bench } from './bench.ts';
import type { Client } from './clients.ts';
import { httpContender } from './contender.ts';
import { requireSameAnswer } from './same-answer.ts';

export type ReadName = 'service' | 'bare-server' | 'entity-server';

/**
 * The service as production runs it, and references, all reading the same over HTTP. `pathFor`: what a client asks
 * for, below the API's root.
 */
export async function compareReads(
  bench: Bench,
  references: readonly Exclude<ReadName, 'service'>[],
  pathFor: (client: Client) => string,
): Promise<Round<ReadName>[]> {
  const { databaseUrl, clients } = await bench.world();
  await using service = await bench.startService({ service: 'resource-api', databaseUrl });
  const ours = clients.map((client) =>
    encodeRequest({ path: apiRootPath + pathFor(client), token: client.token, address: client.address }),
  );
  const theirs = clients.map((client) =>
    encodeRequest({ path: apiRootPath + pathFor(client), headers: referenceHeaders(client) }),
  );
  await using parts = new AsyncDisposableStack();
  const contenders = [
    httpContender<ReadName>(bench, { name: 'service', servers: [service], sources: sharedSources(ours) }),
  ];
  for (const name of references) {
    const server = parts.use(await bench.startReference(name, databaseUrl));
    const [request = Buffer.of(), sameRequest = Buffer.of()] = [ours[0], theirs[0]];
    await requireSameAnswer(
      { port: service.port, request },
      { port: server.port, request: sameRequest },
      bench.signal,
    );
    contenders.push(
      httpContender<ReadName>(bench, { name, servers: [server], sources: sharedSources(theirs) }),
    );
  }
  return await interleave(contenders, bench);
}

/** The references authenticate nobody: they are told whose data is meant. */
function referenceHeaders({ accountId, tokenId }: Client): Record<string, string> {
  return { 'X-Account': accountId, 'X-Token': tokenId };
}
