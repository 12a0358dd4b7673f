import { appApiPath } from '#shared/app/app-protocol.ts';
import type { Api } from './api.ts';
import { ConnectionFailure, SignedOut } from './errors.ts';

/** The server writes at least a comment every 20 s; after this long the connection counts as lost. */
const silenceMilliseconds = 45_000;
/** Polling interval if there are too many streams, or none is served. */
const refusedSeconds = 15;

/**
 * Calls `onNews` for every event, and when the stream is open: earlier commits may have been missed. Resolves
 * when the stream has ended: by its token, by us, after a timeout or with the network. true: the server allows
 * to reconnect at once.
 */
export async function followLiveStream(api: Api, onNews: () => void, signal: AbortSignal): Promise<boolean> {
  let isRenewed = false;
  const ending = new AbortController();
  const end = () => ending.abort();
  const ended = AbortSignal.any([signal, ending.signal]);
  let timer = setTimeout(end, silenceMilliseconds);
  try {
    const body = await open(api, ended);
    onNews();
    for await (const line of readLines(body)) {
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

async function open(api: Api, signal: AbortSignal): Promise<ReadableStream<Uint8Array>> {
  const response = await api.stream(`${appApiPath}/live`, signal);
  if (response.ok && response.body !== null) return response.body;
  await response.body?.cancel();
  throw new ConnectionFailure(refusedSeconds);
}

/** Yields complete lines, including comments and empty ones, which show that the connection is alive. */
async function* readLines(body: ReadableStream<Uint8Array>): AsyncGenerator<string> {
  const reader = body.getReader();
  const decoder = new TextDecoder();
  let rest = '';
  try {
    for (let next = await reader.read(); !next.done; next = await reader.read()) {
      const lines = (rest + decoder.decode(next.value, { stream: true })).split('\n');
      rest = lines.pop() ?? '';
      yield* lines;
    }
  } finally {
    await reader.cancel().catch(() => undefined);
  }
}
