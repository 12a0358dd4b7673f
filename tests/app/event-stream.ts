import type { LiveEvent } from '#shared/app/app-protocol.ts';
import { appApiPath } from '#shared/app/app-protocol.ts';
import type { Stack } from '#tests/support/stack.ts';

/** An open stream: what it has received, and whether the server has ended it. */
type EventStream = {
  events: LiveEvent[];
  hasEnded(): boolean;
  /** The next may follow at once. */
  isRenewed(): boolean;
  close(): void;
};

export function requestStream({ baseUrl }: Stack, accessToken: string, signal?: AbortSignal) {
  const headers = { Authorization: `Bearer ${accessToken}` };
  return fetch(`${baseUrl}${appApiPath}/live`, { headers, ...(signal && { signal }) });
}

/** Resolves when the server has sent its first bytes. */
export async function openStream(stack: Stack, accessToken: string): Promise<EventStream> {
  const closing = new AbortController();
  const response = await requestStream(stack, accessToken, closing.signal);
  if (!response.ok || response.body === null) throw new Error(`the stream responds with ${response.status}`);
  const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
  const events: LiveEvent[] = [];
  let ended = false;
  let isRenewed = false;
  await reader.read();
  const follow = async () => {
    for (let next = await reader.read(); !next.done; next = await reader.read())
      for (const line of next.value.split('\n'))
        if (line.startsWith('data:')) events.push(JSON.parse(line.slice(5)));
        else if (line === 'retry: 0') isRenewed = true;
  };
  void follow()
    .catch(() => undefined)
    .finally(() => {
      ended = true;
    });
  return { events, hasEnded: () => ended, isRenewed: () => isRenewed, close: () => closing.abort() };
}
