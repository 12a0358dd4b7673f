/** RFC 8414 §3, of an issuer without a path. */
export const serverMetadataPath = '/.well-known/oauth-authorization-server';
export const registerPath = '/oauth/register';
export const authorizePath = '/oauth/authorize';
export const tokenPath = '/oauth/token';
export const revokePath = '/oauth/revoke';
export const jwksPath = '/oauth/jwks';
/** Followed by the interaction's uid: the page of sign-in and consent. */
export const interactionPath = '/oauth/interaction';
