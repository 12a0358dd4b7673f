import { Agent, request as sendRequest } from 'node:http';

export type ClientRequest = {
  method: string;
  path: string;
  token?: string | undefined;
  /** Sent as JSON. */
  body?: unknown;
  headers?: Readonly<Record<string, string>>;
};

export type ClientAnswer = {
  /** The status, or the code of the error that came instead, such as ECONNRESET; `no answer` at the limit. */
  outcome: number | string;
  headers: Readonly<Record<string, string | string[] | undefined>>;
  body: string;
  /** As performance.now() counts. */
  sentAt: number;
  milliseconds: number;
};

export type KeepAliveClient = {
  /** Never rejects. */
  send(request: ClientRequest): Promise<ClientAnswer>;
  close(): void;
};

/** Beyond every limit of the service: what takes longer counts as hung. */
const answerLimitMilliseconds = 15_000;

/** One kept connection, used for one request after the other, as API clients do. Nothing is sent twice. */
export function createKeepAliveClient(
  rootUrl: string,
  limitMilliseconds: number = answerLimitMilliseconds,
): KeepAliveClient {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  return {
    send: (request) => send({ rootUrl, agent, limitMilliseconds }, request),
    close: () => agent.destroy(),
  };
}

type Connection = { rootUrl: string; agent: Agent; limitMilliseconds: number };

function send(
  { rootUrl, agent, limitMilliseconds }: Connection,
  request: ClientRequest,
): Promise<ClientAnswer> {
  const sentAt = performance.now();
  const body = request.body === undefined ? undefined : JSON.stringify(request.body);
  return new Promise((resolve) => {
    const finish = (outcome: number | string, headers: ClientAnswer['headers'] = {}, text = '') => {
      clearTimeout(limit);
      resolve({ outcome, headers, body: text, sentAt, milliseconds: performance.now() - sentAt });
    };
    const sent = sendRequest(new URL(request.path, rootUrl), {
      agent,
      method: request.method,
      headers: {
        ...(request.token !== undefined && { authorization: `Bearer ${request.token}` }),
        ...(body !== undefined && {
          'content-type': 'application/json',
          'content-length': Buffer.byteLength(body),
        }),
        ...request.headers,
      },
    });
    const limit = setTimeout(() => {
      finish('no answer');
      sent.destroy();
    }, limitMilliseconds);
    sent.once('response', (response) => {
      let text = '';
      response.setEncoding('utf8');
      response.on('data', (chunk: string) => {
        text += chunk;
      });
      response.once('end', () => finish(response.statusCode ?? 0, response.headers, text));
      response.once('error', (error) => finish(codeOf(error)));
    });
    sent.once('error', (error) => finish(codeOf(error)));
    sent.end(body);
  });
}

function codeOf(error: Error): string {
  return 'code' in error ? String(error.code) : error.message;
}
