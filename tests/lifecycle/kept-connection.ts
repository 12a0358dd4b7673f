import { once } from 'node:events';
import { Agent, type IncomingHttpHeaders, request } from 'node:http';
import { text } from 'node:stream/consumers';

type Answer = { status: number | undefined; headers: IncomingHttpHeaders; body: string };

type KeptConnection = {
  /** Sends a request on the same connection as the one before, as long as that is open. Rejects when it is lost. */
  get(url: string, headers?: Record<string, string>): Promise<Answer>;
  close(): void;
};

/** A client of one connection that it keeps, and that tries nothing again. */
export function openKeptConnection(): KeptConnection {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  return {
    async get(url, headers = {}) {
      const sent = request(url, { agent, headers }).end();
      const [answer] = await once(sent, 'response');
      return { status: answer.statusCode, headers: answer.headers, body: await text(answer) };
    },
    close: () => agent.destroy(),
  };
}
