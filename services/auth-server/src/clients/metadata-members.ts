import { RegistrationError } from './registration-error.ts';

/** What a client says of itself, before it is checked. */
export type Members = Readonly<Record<string, unknown>>;

/** Clients write null and '' for what they leave out. Throws RegistrationError, as all of these do. */
export function readMembers(body: unknown): Members {
  if (typeof body !== 'object' || body === null || Array.isArray(body)) {
    throw invalidMetadata('client metadata must be a JSON object');
  }
  return Object.fromEntries(Object.entries(body).filter(([, value]) => value !== null && value !== ''));
}

export function optionalString(members: Members, name: string): string | undefined {
  const value = members[name];
  if (value === undefined || typeof value === 'string') return value;
  throw invalidMetadata(`${name} must be a string`);
}

export function optionalStrings(members: Members, name: string): string[] | undefined {
  const value = members[name];
  if (value === undefined) return undefined;
  if (Array.isArray(value) && value.every((entry) => typeof entry === 'string')) return value;
  throw invalidMetadata(`${name} must be an array of strings`);
}

export function invalidMetadata(description: string): RegistrationError {
  return new RegistrationError('invalid_client_metadata', description);
}
