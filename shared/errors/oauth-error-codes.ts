/** The `error` codes of OAuth endpoints (RFC 6749 §5.2, RFC 7009 §2.2.1, RFC 7591 §3.2.2, RFC 8707 §2). */
export const oauthErrorCodes = {
  invalid_request: 'The request is malformed: a parameter is missing, repeated or of the wrong form.',
  invalid_client: 'The client is not known; it has to register again.',
  invalid_grant:
    'The code or the refresh token is unknown, expired, used before, or was issued for something else.',
  unauthorized_client: 'The client may not use this grant type.',
  unsupported_grant_type: 'The grant type is neither `authorization_code` nor `refresh_token`.',
  invalid_scope: 'None of the scopes is known, or one goes beyond what the user allowed.',
  invalid_target: 'The resource is not one of this service.',
  invalid_redirect_uri: 'A redirect URI is not one that can be registered.',
  invalid_client_metadata: 'Another member of the metadata is not acceptable.',
  temporarily_unavailable: 'Try again when `Retry-After` has passed.',
  server_error: 'Something went wrong on our side.',
} as const;

export type OAuthErrorCode = keyof typeof oauthErrorCodes;
