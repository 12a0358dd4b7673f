import { appApiPath } from '#shared/app/app-protocol.ts';
import type { Api } from './api.ts';
import { ConnectionFailure, SignedOut } from './errors.ts';
import { linesOf } from './stream-lines.ts';

/** The server writes at least a comment every 20 s; after this long the connection counts as lost. */
const silenceMilliseconds = 45_000;
/** Polling interval if there are too many streams, or none is served. */
const refusedSeconds = 15;

/**
 * Calls `onNews` for every event, and when the stream is open: earlier commits may have been missed. Resolves
 * when the stream has ended: by its token, by us, after a timeout or with the network. true: the server
 * allows to reconnect at once.
 */
export async function followLiveStream(api: Api, onNews: () => void, signal: AbortSignal): Promise<boolean> {
  let isRenewed = false;
  const ending = new AbortController();
  const end = () => ending.abort();
  const ended = AbortSignal.any([signal, ending.signal]);
  let timer = setTimeout(end, silenceMilliseconds);
  try {
    const response = await open(api, ended);
    onNews();
    // Comments and empty lines, too, show that the connection is alive.
    for await (const line of linesOf(response)) {
      clearTimeout(timer);
      timer = setTimeout(end, silenceMilliseconds);
      if (line.startsWith('data:')) onNews();
      else if (line === 'retry: 0') isRenewed = true;
    }
  } catch (error) {
    if (error instanceof SignedOut) throw error;
    if (error instanceof ConnectionFailure && !ended.aborted) throw error;
  } finally {
    clearTimeout(timer);
    ending.abort();
  }
  return isRenewed;
}

async function open(api: Api, signal: AbortSignal): Promise<Response> {
  const response = await api.stream(`${appApiPath}/live`, signal);
  if (response.ok && response.body !== null) return response;
  await response.body?.cancel();
  throw new ConnectionFailure(refusedSeconds);
}
