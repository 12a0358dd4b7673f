import { createECDH, type ECDH, randomBytes, randomUUID } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';
import https from 'node:https';
import tls from 'node:tls';
import type { PushPayload } from '#shared/app/push-payload.ts';
import { decryptPush } from '#tests/support/decrypt-push.ts';
import { listenOnFreePort } from '#tests/support/in-process-server.ts';
import { makeSelfSignedCertificate } from '#tests/support/self-signed-certificate.ts';

type ReceivedPush = { payload: PushPayload; headers: IncomingHttpHeaders; subscription: Subscription };
export type Subscription = { endpoint: string; p256dh: string; auth: string };

/** The status of the response, and its headers; undefined: none comes. */
type Respond = (
  subscription: Subscription,
  earlier: number,
) => { status: number; headers?: Record<string, string> } | undefined;

export type PushService = {
  /** For PUSH_SERVICE_HOSTS. */
  host: string;
  /** As a browser makes one. */
  subscribe(): Subscription;
  /** What was accepted, decrypted. */
  received: ReceivedPush[];
  /** Requests, whatever became of them. */
  requests: number;
  respond: Respond;
  close(): Promise<void>;
};

const { key, cert } = makeSelfSignedCertificate();
tls.setDefaultCACertificates([...tls.getCACertificates('default'), cert]);

/** A push service (RFC 8030) on loopback that reads what it is sent (RFC 8291), as only browsers can. */
export async function openPushService(): Promise<PushService> {
  const secrets = new Map<string, { subscription: Subscription; ecdh: ECDH; requests: number }>();
  const server = https.createServer({ key, cert }, async (req, res) => {
    const chunks: Buffer[] = [];
    for await (const chunk of req) chunks.push(chunk);
    const known = secrets.get(req.url ?? '');
    service.requests += 1;
    if (known === undefined) return void res.writeHead(404).end();
    const response = service.respond(known.subscription, known.requests);
    known.requests += 1;
    if (response === undefined) return;
    if (response.status === 201) {
      const { subscription, ecdh } = known;
      const payloads: PushPayload[] = JSON.parse(decryptPush(Buffer.concat(chunks), ecdh, subscription.auth));
      for (const payload of payloads) service.received.push({ payload, headers: req.headers, subscription });
    }
    res.writeHead(response.status, response.headers).end();
  });
  const { port, close } = await listenOnFreePort(server, 'localhost');
  const host = `localhost:${port}`;
  const service: PushService = {
    host,
    subscribe() {
      const path = `/push/${randomUUID()}`;
      const ecdh = createECDH('prime256v1');
      const subscription = {
        endpoint: `https://${host}${path}`,
        p256dh: ecdh.generateKeys('base64url'),
        auth: randomBytes(16).toString('base64url'),
      };
      secrets.set(path, { subscription, ecdh, requests: 0 });
      return subscription;
    },
    received: [],
    requests: 0,
    respond: () => ({ status: 201 }),
    close,
  };
  return service;
}
