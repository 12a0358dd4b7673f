type RawAnswer = { status: number; headers: Headers; text: string };

let lastId = 0;

/** A call as a client of the revisions with a handshake sends it; these need none for a single request. */
export function callMessage(name: string, input: object): object {
  lastId += 1;
  return { jsonrpc: '2.0', id: lastId, method: 'tools/call', params: { name, arguments: input } };
}

export function readMessage(uri: string): object {
  lastId += 1;
  return { jsonrpc: '2.0', id: lastId, method: 'resources/read', params: { uri } };
}

export const ping = { jsonrpc: '2.0', id: 1, method: 'ping' };

export const messageHeaders = {
  'content-type': 'application/json',
  accept: 'application/json, text/event-stream',
};

export async function postMessage(
  baseUrl: string,
  secret: string,
  message: unknown,
  headers: Record<string, string> = {},
): Promise<RawAnswer> {
  const response = await fetch(`${baseUrl}/mcp`, {
    method: 'POST',
    headers: { ...messageHeaders, authorization: `Bearer ${secret}`, ...headers },
    body: typeof message === 'string' ? message : JSON.stringify(message),
  });
  return { status: response.status, headers: response.headers, text: await response.text() };
}

/** The JSON-RPC messages of an answer, however it was sent. */
export function messagesOf({ headers, text }: RawAnswer): Record<string, unknown>[] {
  if (!headers.get('content-type')?.startsWith('text/event-stream')) return [JSON.parse(text)].flat();
  const data = text.split('\n').filter((line) => line.startsWith('data: '));
  return data.map((line) => JSON.parse(line.slice('data: '.length)));
}
