import type { Answer } from './oauth-endpoints.ts';

/** What became of an authorization request. Without a target nobody was sent anywhere. */
export type AuthorizationOutcome = {
  status: number;
  /** Where the browser is sent, without what was added to it. */
  target?: string;
  code?: string;
  error?: string;
  state?: string;
  iss?: string;
};

const named = ['code', 'error', 'state', 'iss'] as const;

/** Also of a redirect that a page answered with. Descriptions are left out: they are for people. */
export function outcomeOf({ status, headers }: Pick<Answer, 'status' | 'headers'>): AuthorizationOutcome {
  const location = headers.get('location');
  if (location === null) return { status };
  const { searchParams } = new URL(location);
  const added = [...named, 'error_description', 'scope'];
  const [target = '', query = ''] = location.split('?');
  const own = query.split('&').filter((pair) => !added.includes(pair.split('=')[0] ?? ''));
  const outcome: AuthorizationOutcome = { status, target: [target, ...own].join('?') };
  for (const name of named) {
    const value = searchParams.get(name);
    if (value !== null) outcome[name] = value;
  }
  return outcome;
}

/** An error page. */
export const keptHere: AuthorizationOutcome = { status: 400 };

/** The sign-in or consent page. */
export const asked: AuthorizationOutcome = { status: 200 };
