import type { ServerResponse } from 'node:http';

const openedEvent = 'streamOpened';

/**
 * Says that the response stays open for minutes: it counts neither as a request under way nor in the durations of
 * requests from now on.
 */
export function markStreamOpen(res: ServerResponse): void {
  res.emit(openedEvent);
}

export function onStreamOpen(res: ServerResponse, listener: () => void): void {
  res.once(openedEvent, listener);
}
