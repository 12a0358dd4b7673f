import { randomBytes } from 'node:crypto';
import type { EntityManager } from '@mikro-orm/postgresql';
import type { Logger } from '#shared/logging/logger.ts';
import type { Clock } from '#shared/time/clock.ts';
import {
  ClientDocumentError,
  type FetchClientDocument,
  isDocumentClientId,
  retryAfterSeconds,
} from '../clients/fetch-client-document.ts';
import { type ClientMetadata, metadataDocumentClient } from '../clients/registration-policy.ts';
import { query } from '../database/query.ts';
import { PageError } from '../html/page-error.ts';
import { OAuthError } from './oauth-error.ts';

export type ClientRegistry = ReturnType<typeof createClientRegistry>;

/** Registered clients, and clients identified by the URL of a metadata document. */
export function createClientRegistry(options: {
  em: EntityManager;
  clock: Clock;
  logger: Logger;
  fetchDocument: FetchClientDocument;
}) {
  const { em, clock, logger, fetchDocument } = options;
  return {
    /** Returns the client information of RFC 7591 §3.2.1. */
    async register(metadata: ClientMetadata): Promise<object> {
      const now = clock.now();
      const client = {
        // The prefix distinguishes client ids from accounts' UUIDs (RFC 9700 §4.15).
        client_id: `app_${randomBytes(16).toString('base64url')}`,
        client_id_issued_at: Math.floor(now.getTime() / 1_000),
        ...metadata,
      };
      await insertClient(em, client.client_id, client, now);
      return client;
    },
    /**
     * Returns a client's metadata; fetching a document counts for `caller`. Undefined for an unknown client
     * or an unusable document. Throws UnreachableClientError while the document cannot be fetched: a client
     * treated as unknown would discard its tokens.
     */
    async find(clientId: string, caller?: string): Promise<Record<string, unknown> | undefined> {
      if (clientId.includes('\0')) return undefined;
      if (!isDocumentClientId(clientId)) return findClientMetadata(em, clientId);
      try {
        return { ...metadataDocumentClient(await fetchDocument(new URL(clientId), caller)) };
      } catch (error) {
        if (!(error instanceof ClientDocumentError || error instanceof OAuthError)) throw error;
        // Only logged: the response must not reveal what our network can reach.
        logger.info({ err: error, clientId }, 'a client metadata document could not be used');
        if (error instanceof ClientDocumentError && error.isTemporary) throw new UnreachableClientError();
        return undefined;
      }
    },
  };
}

export class UnreachableClientError extends PageError {
  constructor() {
    super({
      code: 'service_unavailable',
      status: 503,
      title: 'This app can’t be reached',
      message: 'The site where the app describes itself does not answer now.',
      headers: { 'Retry-After': String(retryAfterSeconds) },
    });
  }
}

/** Inserts a client, which is unused until it has a grant. */
async function insertClient(em: EntityManager, clientId: string, metadata: object, now: Date): Promise<void> {
  await query(em)`insert into auth.oauth_client (client_id, metadata, created_at, unused_since)
    values (${clientId}, ${JSON.stringify(metadata)}::jsonb, ${now}, ${now})`;
}

async function findClientMetadata(
  em: EntityManager,
  clientId: string,
): Promise<Record<string, unknown> | undefined> {
  const [client] = await query(em)<{ metadata: Record<string, unknown> }>`
    select metadata from auth.oauth_client where client_id = ${clientId}`;
  return client?.metadata;
}
