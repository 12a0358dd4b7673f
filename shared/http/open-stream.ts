import type { ServerResponse } from 'node:http';

const openedEvent = 'streamOpened';

/**
 * Marks a response that stays open for minutes: it is excluded from requests in progress and from durations.
 */
export function markStreamOpen(res: ServerResponse): void {
  res.emit(openedEvent);
}

export function onStreamOpen(res: ServerResponse, listener: () => void): void {
  res.once(openedEvent, listener);
}
