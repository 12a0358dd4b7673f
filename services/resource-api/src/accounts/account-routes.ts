import { type InferType, object, string } from 'yup';
import { plans } from '#shared/plans.ts';
import { scopes } from '#shared/scopes.ts';
import { enumeration, listOf, uuid } from '#shared/validation/fields.ts';
import { type Route, readRoute } from '../http/route.ts';
import type { Session } from '../session.ts';

const identityResponse = object({
  accountId: uuid().defined().meta({ description: 'The account whose data the token reaches.' }),
  tokenId: uuid()
    .defined()
    .meta({ description: 'The personal token, or the connected app behind an OAuth token.' }),
  tokenName: string().defined().meta({
    description: 'The name its owner gave the token, or that of the connected app.',
    example: 'Backup script',
  }),
  scopes: listOf(enumeration(scopes).defined(), scopes.length).defined().meta({
    description: 'What this token may do; no scope implies another.',
    example: scopes,
  }),
  timezone: string()
    .defined()
    .meta({ description: 'IANA name of the timezone of dates.', example: 'Europe/Berlin' }),
  plan: enumeration(plans).defined().meta({ description: 'Determines the plan limits.' }),
}).meta({ schemaName: 'Identity' });

function presentIdentity({ account, principal }: Session): InferType<typeof identityResponse> {
  return {
    accountId: account.id,
    tokenId: principal.tokenId,
    tokenName: principal.tokenName,
    scopes: scopes.filter((scope) => principal.scopes.includes(scope)),
    timezone: account.timezone,
    plan: account.plan,
  };
}

export const accountRoutes: readonly Route[] = [
  readRoute({
    operationId: 'getIdentity',
    method: 'get',
    path: '/me',
    tag: 'Account',
    summary: 'The account of this token',
    description: 'The account behind the token, and what the token may do.',
    scope: 'read',
    success: { status: 200, description: 'The account and the token.', schema: identityResponse },
    handler: async (session) => session,
    present: presentIdentity,
  }),
];
