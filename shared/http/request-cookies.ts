import type { IncomingMessage } from 'node:http';

export type Theme = 'light' | 'dark';

/** Chosen in the settings, per device; by default the system's. Not secret, so either name is read. */
export function readTheme(req: IncomingMessage): Theme | undefined {
  const theme = sentCookie(req, '__Host-theme') ?? sentCookie(req, 'tasks_theme');
  return theme === 'light' || theme === 'dark' ? theme : undefined;
}

/** The value as it was sent. */
export function sentCookie(req: IncomingMessage, name: string): string | undefined {
  const prefix = `${name}=`;
  const pairs = (req.headers.cookie ?? '').split(';').map((pair) => pair.trim());
  return pairs.find((pair) => pair.startsWith(prefix))?.slice(prefix.length);
}
