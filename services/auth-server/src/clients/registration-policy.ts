import { everyScope } from '#shared/scopes.ts';
import { isWithinLength } from '#shared/validation/text-rules.ts';
import { OAuthError } from '../oauth/oauth-error.ts';
import { checkRedirectUri, isLoopback, uriCharacters } from './redirect-uri-rules.ts';

/** The stored client metadata (RFC 7591 §2): every client is public, with the same grant types and scopes. */
export type ClientMetadata = {
  client_name?: string;
  redirect_uris: string[];
  client_uri?: string;
  logo_uri?: string;
  tos_uri?: string;
  policy_uri?: string;
  contacts?: string[];
  software_id?: string;
  software_version?: string;
  grant_types: ['authorization_code', 'refresh_token'];
  response_types: ['code'];
  token_endpoint_auth_method: 'none';
  /** All scopes, whatever was sent: fewer would limit the client's later requests. */
  scope: string;
  application_type: 'native' | 'web';
};

/** Size limit of the stored JSON, since anybody may register. */
const maximumMetadataBytes = 8_192;
const maximumRedirectUris = 20;
const maximumTextLength = 200;
const maximumUrlLength = 2_048;
const maximumContacts = 20;
const pageMembers = ['client_uri', 'logo_uri', 'tos_uri', 'policy_uri'] as const;
const textMembers = ['client_name', 'software_id', 'software_version'] as const;
/** A browser's rule for `<input type=email>`. */
const emailAddress = /^[\w.!#$%&'*+/=?^`{|}~-]+@[a-z0-9-]+(\.[a-z0-9-]+)*$/i;

/**
 * The metadata registered for a request (RFC 7591 §3.1). `confidential`: how to treat a client that asks for
 * a method with a secret; §3.2.1 lets a server replace values. Throws OAuthError.
 */
export function registeredMetadata(
  body: unknown,
  { confidential }: { confidential: 'coerce' | 'reject' },
): ClientMetadata {
  const request = readMembers(body);
  const method = optionalString(request, 'token_endpoint_auth_method');
  if (confidential === 'reject' && method !== undefined && method !== 'none') {
    throw invalidMetadata('token_endpoint_auth_method must be none: only public clients are registered');
  }
  return readMetadata(request);
}

/**
 * The client that a Client ID Metadata Document describes, read like a registration
 * (draft-ietf-oauth-client-id-metadata-document §4). Throws OAuthError.
 */
export function metadataDocumentClient(document: unknown): ClientMetadata & { client_id: string } {
  const members = readMembers(document);
  const clientId = optionalString(members, 'client_id');
  if (clientId === undefined) throw invalidMetadata('client_id is required');
  if ('client_secret' in members || 'client_secret_expires_at' in members) {
    throw invalidMetadata('a document that anybody can read must not hold a client_secret');
  }
  requirePublicMethod(members);
  return { client_id: clientId, ...readMetadata(members) };
}

/** The list names the supported methods, the single value the preferred one. */
function requirePublicMethod(members: Members): void {
  const preferred = optionalString(members, 'token_endpoint_auth_method') ?? 'none';
  const methods = optionalStrings(members, 'token_endpoint_auth_methods_supported') ?? [preferred];
  if (!methods.includes('none')) throw invalidMetadata('the token endpoint serves the method none alone');
}

function readMetadata(members: Members): ClientMetadata {
  requireKnownFlow(members);
  const redirectUris = readRedirectUris(members);
  const isWeb = redirectUris.every((uri) => uri.startsWith('https:'));
  const metadata: ClientMetadata = {
    ...readTexts(members),
    redirect_uris: redirectUris,
    ...readPages(members),
    ...readContacts(members),
    grant_types: ['authorization_code', 'refresh_token'],
    response_types: ['code'],
    token_endpoint_auth_method: 'none',
    scope: everyScope,
    // Derived from the URIs: clients send `web` with private-use schemes, and nothing with loopback
    // addresses.
    application_type: isWeb ? 'web' : 'native',
  };
  if (Buffer.byteLength(JSON.stringify(metadata)) <= maximumMetadataBytes) return metadata;
  throw invalidMetadata(`client metadata must have at most ${maximumMetadataBytes} bytes in all`);
}

/** Grant types are fixed; a client that does not use codes is refused. */
function requireKnownFlow(members: Members): void {
  optionalStrings(members, 'grant_types');
  optionalString(members, 'scope');
  optionalString(members, 'application_type');
  const responseTypes = optionalStrings(members, 'response_types');
  if (responseTypes?.includes('code') === false) throw invalidMetadata('response_types must include code');
}

function readRedirectUris(members: Members): string[] {
  const uris = [...new Set(optionalStrings(members, 'redirect_uris'))];
  if (uris.length === 0) throw invalidRedirectUri('redirect_uris must name at least one URI');
  if (uris.length > maximumRedirectUris) {
    throw invalidRedirectUri(`redirect_uris must name at most ${maximumRedirectUris} URIs`);
  }
  for (const [index, uri] of uris.entries()) {
    const fault = checkRedirectUri(uri);
    if (fault !== undefined) throw invalidRedirectUri(`redirect_uris[${index}] ${fault}`);
  }
  // An app on a device has no certificate for its own address (RFC 8252 §7.3), so this is a mistake.
  const hasNative = uris.some((uri) => !uri.startsWith('https:'));
  if (hasNative && uris.some((uri) => uri.startsWith('https:') && isLoopback(uri))) {
    throw invalidRedirectUri('redirect_uris of a native app must use http on a loopback host');
  }
  return uris;
}

function readTexts(members: Members): Pick<ClientMetadata, (typeof textMembers)[number]> {
  const texts = textMembers.map((name) => [name, readText(members, name)] as const);
  return Object.fromEntries(texts.filter(([, text]) => text !== undefined));
}

function readText(members: Members, name: string): string | undefined {
  const text = optionalString(members, name);
  if (text === undefined) return undefined;
  if (!text.isWellFormed()) throw invalidMetadata(`${name} must be well-formed Unicode text`);
  if (!hasVisibleCharacter(text)) return undefined;
  if (/\p{Cc}/u.test(text)) throw invalidMetadata(`${name} must not contain control characters`);
  if (isWithinLength(text, maximumTextLength)) return text;
  throw invalidMetadata(`${name} must have at most ${maximumTextLength} characters`);
}

/** An invisible name would show nothing on the consent page. */
function hasVisibleCharacter(text: string): boolean {
  return /[^\p{White_Space}\p{Default_Ignorable_Code_Point}\p{C}]/u.test(text);
}

/** A broken link to a logo or to terms is left out (RFC 7591 §3.2.1) instead of refusing the app. */
function readPages(members: Members): Pick<ClientMetadata, (typeof pageMembers)[number]> {
  const pages = pageMembers.map((name) => [name, optionalString(members, name)] as const);
  return Object.fromEntries(pages.filter(([, url]) => url !== undefined && isWebUrl(url)));
}

function isWebUrl(text: string): boolean {
  const isSpelledAsUri = text.length <= maximumUrlLength && uriCharacters.test(text);
  return isSpelledAsUri && /^https?:\/\//.test(text) && URL.canParse(text);
}

/** Contacts are never shown; what is no e-mail address is left out. */
function readContacts(members: Members): Pick<ClientMetadata, 'contacts'> {
  const contacts = optionalStrings(members, 'contacts')?.filter(
    (contact) => contact.length <= maximumTextLength && emailAddress.test(contact),
  );
  if (contacts === undefined || contacts.length === 0) return {};
  return { contacts: [...new Set(contacts)].slice(0, maximumContacts) };
}

/** Unvalidated client metadata. */
type Members = Readonly<Record<string, unknown>>;

/** Clients send null and '' for omitted members. Throws OAuthError, as all of these do. */
function readMembers(body: unknown): Members {
  if (typeof body !== 'object' || body === null || Array.isArray(body)) {
    throw invalidMetadata('client metadata must be a JSON object');
  }
  return Object.fromEntries(Object.entries(body).filter(([, value]) => value !== null && value !== ''));
}

function optionalString(members: Members, name: string): string | undefined {
  const value = members[name];
  if (value === undefined || typeof value === 'string') return value;
  throw invalidMetadata(`${name} must be a string`);
}

function optionalStrings(members: Members, name: string): string[] | undefined {
  const value = members[name];
  if (value === undefined) return undefined;
  if (Array.isArray(value) && value.every((entry) => typeof entry === 'string')) return value;
  throw invalidMetadata(`${name} must be an array of strings`);
}

/** A refused registration (RFC 7591 §3.2.2). */
function invalidMetadata(description: string): OAuthError {
  return new OAuthError('invalid_client_metadata', description);
}

function invalidRedirectUri(description: string): OAuthError {
  return new OAuthError('invalid_redirect_uri', description);
}
