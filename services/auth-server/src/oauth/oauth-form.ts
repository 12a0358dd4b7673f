import { createFormReader } from '#shared/http/form-body.ts';

/**
 * Reads the form of a token request or a revocation. The package reads it once more, percent-encoded anew and so up to
 * three times as long, and takes 56 KiB.
 */
export const readOAuthForm = createFormReader(16 * 1024);
