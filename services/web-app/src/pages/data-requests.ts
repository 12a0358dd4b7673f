import { type AppSessionToken, appApiPath, appSessionPath } from '#shared/app/app-protocol.ts';

const refreshMilliseconds = 4 * 60_000;

let access = { token: '', since: Number.NEGATIVE_INFINITY };

/** Throws an Error with a message for users, or fetch's error. */
export async function ask(path: string, options: RequestInit = {}): Promise<Response> {
  const headers = { Authorization: `Bearer ${await accessToken()}`, ...options.headers };
  const response = await fetch(appApiPath + path, { ...options, headers });
  if (!response.ok) throw await failureOf(response);
  return response;
}

export function post(path: string, body?: object): Promise<Response> {
  return ask(path, jsonPost(body));
}

/** A message for users; fetch's TypeError has none. */
export function describeFailure(error: unknown): string {
  return error instanceof Error && !(error instanceof TypeError)
    ? error.message
    : 'The connection was lost. Try again.';
}

async function accessToken(): Promise<string> {
  if (performance.now() - access.since < refreshMilliseconds) return access.token;
  const response = await fetch(`${appSessionPath}/token`, jsonPost({}));
  if (!response.ok) throw await failureOf(response);
  const { accessToken: token }: AppSessionToken = await response.json();
  access = { token, since: performance.now() };
  return token;
}

function jsonPost(body?: object): RequestInit {
  return {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    ...(body && { body: JSON.stringify(body) }),
  };
}

async function failureOf(response: Response): Promise<Error> {
  const problem: { message?: string } | undefined = await response.json().catch(() => undefined);
  return new Error(problem?.message ?? 'The service did not respond. Try again.');
}
