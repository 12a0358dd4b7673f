import type { EntityManager } from '@mikro-orm/postgresql';
import type { Logger } from '#shared/logging/logger.ts';
import { retryAfterSeconds } from '../clients/document-memory.ts';
import {
  ClientDocumentError,
  type FetchClientDocument,
  isDocumentClientId,
} from '../clients/fetch-client-document.ts';
import { RegistrationError } from '../clients/registration-error.ts';
import { metadataDocumentClient } from '../clients/registration-policy.ts';
import { PageError } from '../html/page-error.ts';
import { findClientMetadata } from './client-repository.ts';

/**
 * A client's metadata by its id; undefined for a client nobody knows, or whose document is gone or can't be used.
 * Throws service_unavailable while its document can't be had: to a client that is not known all its tokens are lost.
 */
export type FindClient = (clientId: string) => Promise<Record<string, unknown> | undefined>;

/** Clients that registered, and clients whose id is the address of a metadata document. */
export function createFindClient(options: {
  em: EntityManager;
  logger: Logger;
  fetchDocument: FetchClientDocument;
}): FindClient {
  const { em, logger, fetchDocument } = options;
  return async (clientId) => {
    if (clientId.includes('\0')) return undefined;
    if (!isDocumentClientId(clientId)) return findClientMetadata(em, clientId);
    try {
      const { document } = await fetchDocument(new URL(clientId));
      return { ...metadataDocumentClient(document) };
    } catch (error) {
      if (!(error instanceof ClientDocumentError || error instanceof RegistrationError)) throw error;
      // Why goes to the log alone: the answer must not tell what our network can reach.
      logger.info({ err: error, clientId }, 'a client metadata document could not be used');
      if (error instanceof ClientDocumentError && error.isTemporary) throw unreachableClient();
      return undefined;
    }
  };
}

function unreachableClient(): PageError {
  return new PageError({
    code: 'service_unavailable',
    status: 503,
    title: 'This app can’t be reached',
    message: 'The site where the app describes itself does not answer now.',
    headers: { 'Retry-After': String(retryAfterSeconds) },
  });
}
