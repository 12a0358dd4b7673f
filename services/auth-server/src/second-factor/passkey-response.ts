import type { AuthenticationResponseJSON, RegistrationResponseJSON } from '@simplewebauthn/server';

/** What the browser made of a request, as the page’s script sends it; undefined where it has another shape. */
export function readAssertion(text: string): AuthenticationResponseJSON | undefined {
  const value = parse(text);
  return hasTexts(value, 'clientDataJSON', 'authenticatorData', 'signature')
    ? (value as AuthenticationResponseJSON)
    : undefined;
}

export function readAttestation(text: string): RegistrationResponseJSON | undefined {
  const value = parse(text);
  return hasTexts(value, 'clientDataJSON', 'attestationObject')
    ? (value as RegistrationResponseJSON)
    : undefined;
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function hasTexts(value: unknown, ...names: string[]): value is { id: string; response: object } {
  if (!isRecord(value) || typeof value.id !== 'string' || !isRecord(value.response)) return false;
  const { response } = value;
  return names.every((name) => typeof response[name] === 'string');
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null;
}
