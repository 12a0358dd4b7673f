import { readFileSync } from 'node:fs';
import { errorCatalogue } from '#shared/errors/error-catalogue.ts';
import { apiRootOf } from '#shared/http/protected-resource-urls.ts';
import { apiLimits } from '#shared/rate-limit/api-limits.ts';
import { errorCodes } from './error-responses.ts';

/** The description of the API as a whole, in Markdown: what no single operation can say. */
export function createGuide(baseUrl: string): string {
  return readFileSync(new URL('./guide.md', import.meta.url), 'utf8')
    .trimEnd()
    .replaceAll('{baseUrl}', baseUrl)
    .replace('{perToken}', String(apiLimits.requestsPerTokenPerMinute))
    .replace('{perAddress}', String(apiLimits.requestsPerAddressPerMinute))
    .replaceAll('{apiRoot}', apiRootOf(baseUrl))
    .replace('{errors}', errorTable());
}

function errorTable(): string {
  const rows = errorCodes
    .map((code) => ({ code, ...errorCatalogue[code] }))
    .toSorted((left, right) => left.status - right.status)
    .map(({ status, type, code, message }) => `| ${status} | \`${type}\` | \`${code}\` | ${message} |`);
  return ['| Status | errorType | errorCode | Meaning |', '|---|---|---|---|', ...rows].join('\n');
}
