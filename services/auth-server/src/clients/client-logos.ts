import type { EntityManager } from '@mikro-orm/postgresql';
import { LRUCache } from 'lru-cache';
import type { Logger } from '#shared/logging/logger.ts';
import type { Clock } from '#shared/time/clock.ts';
import { storeClientLogo } from './client-logo-repository.ts';
import { FetchLimitError, type FetchQueue } from './fetch-queue.ts';
import { reencodeImage } from './reencode-image.ts';
import { isNamedHostUrl, type PublicRequestOptions, requestPublicHost } from './request-public-host.ts';

type ClientLogoOptions = {
  em: EntityManager;
  clock: Clock;
  logger: Logger;
  queue: FetchQueue;
  publicHosts: PublicRequestOptions;
};

const wanted = {
  accept: 'image/png, image/webp, image/jpeg, image/gif',
  mediaType: /^image\/(png|webp|jpeg|gif)[ \t]*(;|$)/i,
  maximumBytes: 512 * 1024,
};
const maximumEntries = 200;
const freshMilliseconds = 86_400_000;
const retryAfterMilliseconds = 600_000;

/** Logos of apps: fetched like client metadata documents, re-encoded, and stored for connected apps. */
export function createClientLogos(options: ClientLogoOptions) {
  const { em, clock, logger, queue, publicHosts } = options;
  /** An empty buffer means that the client has no usable logo. */
  const known = new LRUCache<string, Buffer>({ max: maximumEntries });
  const underWay = new Map<string, Promise<Buffer | undefined>>();
  const storing = new Set<Promise<void>>();

  async function fetchAndRemember(url: URL, caller: string | undefined): Promise<Buffer | undefined> {
    try {
      const image = await queue.run(url.host, caller, async () =>
        reencodeImage((await requestPublicHost(url, wanted, publicHosts)).body),
      );
      known.set(url.href, image, { ttl: freshMilliseconds });
      return image;
    } catch (error) {
      logger.info({ err: error, logoUri: url.href }, 'the logo of a client could not be used');
      if (!(error instanceof FetchLimitError))
        known.set(url.href, Buffer.alloc(0), { ttl: retryAfterMilliseconds });
      return undefined;
    }
  }

  async function find(logoUri: string, caller: string | undefined): Promise<Buffer | undefined> {
    const url = URL.parse(logoUri);
    if (url === null || !isNamedHostUrl(url)) return undefined;
    const image = known.get(url.href);
    if (image !== undefined) return image.length === 0 ? undefined : image;
    const pending =
      underWay.get(url.href) ?? fetchAndRemember(url, caller).finally(() => underWay.delete(url.href));
    underWay.set(url.href, pending);
    return pending;
  }

  async function store(clientId: string, logoUri: string, caller: string | undefined): Promise<void> {
    try {
      const image = await find(logoUri, caller);
      if (image !== undefined) await storeClientLogo(em.fork(), { clientId, image, now: clock.now() });
    } catch (error) {
      logger.warn({ err: error, clientId }, 'the logo of a client could not be stored');
    }
  }

  return {
    /** A small PNG; undefined if there is none. A fetch counts for `caller`, if any. */
    find,
    /** Stores the logo of a client that was connected, in the background. */
    keep(clientId: string, logoUri: string | undefined, caller: string | undefined): void {
      if (logoUri === undefined) return;
      const work = store(clientId, logoUri, caller).finally(() => storing.delete(work));
      storing.add(work);
    },
    /** Resolves when pending logos are stored. */
    async close(): Promise<void> {
      await Promise.all(storing);
    },
  };
}
