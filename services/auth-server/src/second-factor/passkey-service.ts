import { randomUUID } from 'node:crypto';
import {
  type AuthenticationResponseJSON,
  generateRegistrationOptions,
  type PublicKeyCredentialCreationOptionsJSON,
  type RegistrationResponseJSON,
  verifyAuthenticationResponse,
  verifyRegistrationResponse,
} from '@simplewebauthn/server';
import { invalidField } from '#shared/errors/errors.ts';
import { closedObject, title } from '#shared/validation/fields.ts';
import { validateInput } from '#shared/validation/validate-input.ts';
import { recordAuditEvent } from '../audit/audit-trail.ts';
import { type BrowserOwner, lockBrowserSession } from '../browser/browser-session-repository.ts';
import { productName } from '../html/text.ts';
import type { Session } from '../session.ts';
import { type Challenges, consumeChallenge } from './passkey-challenge.ts';
import {
  deletePasskeyOf,
  findPasskey,
  insertPasskey,
  listPasskeys,
  notePasskeyUse,
  type Passkey,
  type PasskeyRow,
} from './passkey-repository.ts';

const maximumPasskeys = 20;
const registration = 'registration';
export const maximumPasskeyName = 100;
/** 1,023 bytes in base64url (WebAuthn §4). */
const maximumCredentialId = 1_364;
const passkeyInput = closedObject({ name: title(maximumPasskeyName).defined() });

/** The challenge to sign, and the site. `baseUrl`: the public origin. */
export type PasskeySite = { baseUrl: string; challenges: Challenges };

const siteIdOf = ({ baseUrl }: PasskeySite): string => new URL(baseUrl).hostname;

/** Request options for an authentication. `purpose` binds the proof to one page; `allowed`: default any. */
export function passkeyRequestOptions(site: PasskeySite, purpose: string, allowed?: readonly Passkey[]) {
  return {
    challenge: site.challenges.issue(purpose),
    rpId: siteIdOf(site),
    userVerification: 'required',
    allowCredentials: allowed?.map(({ credentialId, transports }) => {
      return { id: credentialId, type: 'public-key', transports };
    }),
  };
}

export async function passkeyCreationOptions(
  session: Session,
  site: PasskeySite,
  account: { id: string; email: string },
): Promise<PublicKeyCredentialCreationOptionsJSON> {
  const known = await listPasskeys(session.em, account.id);
  return generateRegistrationOptions({
    rpName: productName,
    rpID: siteIdOf(site),
    userID: new TextEncoder().encode(account.id),
    userName: account.email,
    userDisplayName: account.email,
    challenge: Buffer.from(site.challenges.issue(registration), 'base64url'),
    excludeCredentials: known.map(({ credentialId, transports }) => ({ id: credentialId, transports })),
    authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
  });
}

/**
 * `input`: `{name}`. Stores the new passkey in `response`; returns false if the response is invalid. Throws
 * validation_error, token_missing.
 */
export async function addPasskey(
  session: Session,
  site: PasskeySite,
  owner: BrowserOwner,
  response: string,
  input: unknown,
): Promise<boolean> {
  const { accountId } = owner;
  const { name } = validateInput(passkeyInput, input, 'form');
  const made = await verifyAttestation(site, response);
  if (made === undefined) return false;
  return session.em.transactional(async (em) => {
    const within = { ...session, em };
    await lockBrowserSession(em, owner);
    const now = session.clock.now();
    if (!(await consumeChallenge(em, made.challenge, now))) return false;
    if ((await listPasskeys(em, accountId)).length >= maximumPasskeys)
      throw invalidField('name', `name is that of one too many: an account has at most ${maximumPasskeys}`);
    const { id: credentialId, publicKey, counter } = made.credential;
    const transports = readTransports(made.credential.transports);
    const passkey = { id: randomUUID(), accountId, credentialId, transports, name, createdAt: now };
    const isNew = await insertPasskey(em, {
      ...passkey,
      publicKey: Buffer.from(publicKey),
      signCount: counter,
    });
    if (isNew) recordAuditEvent(within, accountId, 'second_factor_added', passkey);
    return isNew;
  });
}

/** Deletes the passkey within the caller's transaction; returns whether the account had it. */
export async function deletePasskey(session: Session, accountId: string, id: string): Promise<boolean> {
  const name = await deletePasskeyOf(session.em, accountId, id);
  if (name === undefined) return false;
  recordAuditEvent(session, accountId, 'second_factor_removed', { id, name });
  return true;
}

/**
 * The passkey that signed `response` for `purpose`; otherwise undefined. A response is valid once.
 */
export async function usePasskey(
  session: Session,
  site: PasskeySite,
  purpose: string,
  response: string,
): Promise<PasskeyRow | undefined> {
  const assertion = readPasskeyResponse<AuthenticationResponseJSON>(response);
  const passkey = assertion && (await findPasskey(session.em, assertion.id));
  if (assertion === undefined || passkey === undefined) return undefined;
  let challenge = '';
  const verifying = verifyAuthenticationResponse({
    response: assertion,
    expectedChallenge(signed) {
      challenge = signed;
      return site.challenges.isOwn(purpose, signed);
    },
    expectedOrigin: site.baseUrl,
    expectedRPID: siteIdOf(site),
    credential: {
      id: passkey.credentialId,
      publicKey: new Uint8Array(passkey.publicKey),
      counter: passkey.signCount,
    },
  });
  // The library throws for each way in which a response can be wrong.
  const result = await verifying.catch(() => undefined);
  if (result?.verified !== true) return undefined;
  const now = session.clock.now();
  if (!(await consumeChallenge(session.em, challenge, now))) return undefined;
  await notePasskeyUse(session.em, passkey.id, result.authenticationInfo.newCounter, now);
  return passkey;
}

async function verifyAttestation(site: PasskeySite, response: string) {
  const attestation = readPasskeyResponse<RegistrationResponseJSON>(response);
  if (attestation === undefined) return undefined;
  let challenge = '';
  const verifying = verifyRegistrationResponse({
    response: attestation,
    expectedChallenge(signed) {
      challenge = signed;
      return site.challenges.isOwn(registration, signed);
    },
    expectedOrigin: site.baseUrl,
    expectedRPID: siteIdOf(site),
  });
  const result = await verifying.catch(() => undefined);
  if (!result?.verified) return undefined;
  const { credential } = result.registrationInfo;
  return credential.id.length <= maximumCredentialId ? { challenge, credential } : undefined;
}

/** Hints of the browser, which the library returns unchecked: at most ten of the form of `smart-card`. */
function readTransports(sent: unknown): string[] {
  const isTransport = (name: unknown): name is string =>
    typeof name === 'string' && /^[a-z-]{1,20}$/.test(name);
  return Array.isArray(sent) ? sent.filter(isTransport).slice(0, 10) : [];
}

/** The browser's WebAuthn response, as sent by the page's script; undefined if it names no passkey. */
function readPasskeyResponse<Sent extends { id: string }>(text: string): Sent | undefined {
  const sent = parse(text);
  const { id }: { id?: unknown } = Object(sent);
  // The library checks the rest.
  return typeof id === 'string' && /^[\w-]+$/.test(id) ? (sent as Sent) : undefined;
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
