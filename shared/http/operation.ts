import type { AnyObjectSchema, AnySchema } from 'yup';
import type { ErrorCode } from '../errors/error-catalogue.ts';
import type { OAuthErrorCode } from '../errors/oauth-error-codes.ts';
import type { Scope } from '../scopes.ts';

type HttpMethod = 'get' | 'post' | 'patch' | 'delete';

/** The part of a route that the OpenAPI document describes. */
export type Operation = {
  operationId: string;
  method: HttpMethod;
  /** Below the API root, parameters in braces: `/tasks/{id}`. Every path parameter is a UUID. */
  path: string;
  tag: string;
  summary: string;
  description?: string;
  /** null: no bearer token is required. */
  scope: Scope | null;
  query?: AnyObjectSchema;
  /** Absent: the operation takes no body (an empty one or `{}` is accepted). */
  body?: AnySchema;
  /** A body that may be left out counts as `{}`. */
  isBodyOptional?: boolean;
  /** How many values a body may hold that is longer than usual. */
  maximumValues?: number;
  /** RFC 7396: `application/merge-patch+json` is accepted beside `application/json`. */
  isMergePatch?: boolean;
  success: { status: 200 | 201 | 204; description: string; schema?: AnySchema };
  /** Error codes besides those that follow from scope, body and parameters. */
  errors?: readonly ErrorCode[];
  /** Example of the body. Examples of responses are made from those of the fields. */
  requestExample?: unknown;
  /** Marks an extension of the published interface (`x-extension`). */
  isExtension?: boolean;
};

/** An operation of the host outside the API root. It needs no token. */
export type HostOperation = {
  operationId: string;
  method: 'get' | 'post';
  path: string;
  summary: string;
  description: string;
  /** Requests are counted by address; responses carry the RateLimit fields. */
  isLimited: boolean;
  /** Pages of any origin may read the responses. */
  isOpenToOrigins: boolean;
  /** OpenAPI parameter objects. */
  parameters?: readonly object[];
  /** OpenAPI media type objects by media type; the body is required. */
  requestBody?: object;
  responses: Readonly<Record<number, HostResponse>>;
  /** OAuth error codes of its own by status. */
  oauthErrors?: Readonly<Record<number, readonly OAuthErrorCode[]>>;
  /** Statuses of the errors that every OAuth endpoint may respond with. */
  sharedOAuthErrors?: readonly number[];
  /** Errors in the API's shape. */
  problems?: readonly ErrorCode[];
};

export type HostResponse = {
  description: string;
  headers?: readonly ('Location' | 'Allow' | 'Retry-After')[];
  /** OpenAPI media type objects by media type. */
  content?: object;
};
