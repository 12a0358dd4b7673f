import { connect, type Socket } from 'node:net';
import { createResponseReader, type RawResponse } from './response-reader.ts';

/** What one connection sends, one request after the other. */
export type RequestSource = {
  /** The bytes of the next request, whole. */
  next(): Buffer;
  /** Given the body of each answer; where it is missing, bodies are not even kept. */
  hear?(body: Buffer): void;
};

export type LoadOptions = {
  /** Connections are spread over these servers. */
  ports: readonly number[];
  /** One for each connection. */
  sources: readonly RequestSource[];
  milliseconds: number;
  /** Any other status ends the load with an Error. */
  expectedStatus: number;
  signal: AbortSignal;
};

export type LoadOutcome = { requests: number; milliseconds: number };

/**
 * Sends one request after the other over each connection, as fast as answers come, for the given time. No library:
 * the bytes are made beforehand and answers are hardly looked at, so that the client is not what is measured.
 */
export async function runLoad(options: LoadOptions): Promise<LoadOutcome> {
  const startedAt = performance.now();
  const endsAt = startedAt + options.milliseconds;
  const counts = await Promise.all(
    options.sources.map((source, index) => runConnection(options, source, portOf(options, index), endsAt)),
  );
  return {
    requests: counts.reduce((sum, count) => sum + count, 0),
    milliseconds: performance.now() - startedAt,
  };
}

function runConnection(
  { expectedStatus, signal }: LoadOptions,
  source: RequestSource,
  port: number,
  endsAt: number,
): Promise<number> {
  const { promise, resolve, reject } = Promise.withResolvers<number>();
  let answered = 0;
  const onResponse = ({ status, body }: RawResponse): void => {
    if (status !== expectedStatus) {
      reject(new Error(`a request is answered with ${status}, not ${expectedStatus}: ${body ?? ''}`));
      return;
    }
    if (body !== undefined) source.hear?.(body);
    answered += 1;
    if (performance.now() < endsAt) socket.write(source.next());
    else resolve(answered);
  };
  const keepsBodies = source.hear !== undefined;
  const socket = openConnection({ port, signal, keepsBodies, onResponse, onFailure: reject });
  socket.once('connect', () => socket.write(source.next()));
  return promise.finally(() => socket.destroy());
}

/** The whole response to one request. */
export function sendOnce(port: number, request: Buffer, signal: AbortSignal): Promise<RawResponse> {
  const { promise, resolve, reject } = Promise.withResolvers<RawResponse>();
  const socket = openConnection({ port, signal, keepsBodies: true, onResponse: resolve, onFailure: reject });
  socket.once('connect', () => socket.write(request));
  return promise.finally(() => socket.destroy());
}

export type ConnectionOptions = {
  port: number;
  signal: AbortSignal;
  keepsBodies: boolean;
  onResponse(response: RawResponse): void;
  onFailure(error: unknown): void;
};

/**
 * All connections read into the same memory, one at a time. A chunk of its own for each read would have the client
 * collect garbage for up to 20 ms every half second, while answers wait and look late.
 */
const received = Buffer.alloc(65_536);

export function openConnection(options: ConnectionOptions): Socket {
  const { port, signal, keepsBodies, onResponse, onFailure } = options;
  const read = createResponseReader(keepsBodies, onResponse);
  const callback = (length: number): boolean => {
    try {
      read(received.subarray(0, length));
    } catch (error) {
      onFailure(error);
    }
    return true;
  };
  const onread = { buffer: received, callback };
  const socket = connect({ port, host: '127.0.0.1', noDelay: true, signal, onread });
  socket.on('error', onFailure);
  socket.on('end', () => onFailure(new Error(`the server on port ${port} closed the connection`)));
  return socket;
}

export function portOf({ ports }: Pick<LoadOptions, 'ports'>, index: number): number {
  const port = ports[index % ports.length];
  if (port === undefined) throw new Error('a load needs a server');
  return port;
}
