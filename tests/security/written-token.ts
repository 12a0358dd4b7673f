import { type KeyObject, randomUUID, sign } from 'node:crypto';
import type { ConnectedApp, TokenIssuer } from '#tests/api/oauth-tokens/token-issuer.ts';
import type { Stack } from '#tests/support/stack.ts';

/** The members of a header or of claims, or its JSON to the letter. */
export type Written = Readonly<Record<string, unknown>> | string;

/** Makes the third part of a token from the first two: its bytes, or its text as it stands. */
type Signer = (signingInput: string) => Buffer | string;

/** What a valid access token of an app says, and how it is signed. */
export type ValidToken = {
  app: ConnectedApp;
  header: Record<string, unknown>;
  claims: Record<string, unknown>;
  sign: Signer;
};

/** A valid token of an app of its own, taken apart: tests write it anew with a fault, byte by byte. */
export async function validTokenOf(stack: Stack, issuer: TokenIssuer): Promise<ValidToken> {
  const app = await issuer.connectApp(await stack.createAccount());
  const [header = '', claims = ''] = (await issuer.issue(app)).split('.');
  return {
    app,
    header: JSON.parse(Buffer.from(header, 'base64url').toString()),
    claims: JSON.parse(Buffer.from(claims, 'base64url').toString()),
    sign: signWith(issuer.privateKey),
  };
}

/** `{}` leaves the token valid. A member that is undefined is left out; text replaces all. */
export function writeToken(
  valid: ValidToken,
  {
    header = {},
    claims = {},
    sign: signer = valid.sign,
  }: { header?: Written; claims?: Written; sign?: Signer },
): string {
  const own = { jti: randomUUID() };
  const parts = [write(valid.header, header), write({ ...valid.claims, ...own }, claims)];
  const signingInput = parts.map((part) => Buffer.from(part).toString('base64url')).join('.');
  return appendSignature(signingInput, signer);
}

function appendSignature(signingInput: string, signer: Signer): string {
  const signature = signer(signingInput);
  return `${signingInput}.${typeof signature === 'string' ? signature : signature.toString('base64url')}`;
}

/** An ES256 signature, or what another key and hash make in its place (RFC 7518 §3.4). */
export function signWith(key: KeyObject, hash: string | null = 'sha256'): Signer {
  return (signingInput) => sign(hash, Buffer.from(signingInput), { key, dsaEncoding: 'ieee-p1363' });
}

function write(valid: Readonly<Record<string, unknown>>, changes: Written): string {
  return typeof changes === 'string' ? changes : JSON.stringify({ ...valid, ...changes });
}
