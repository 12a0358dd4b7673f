import https from 'node:https';
import type { LookupFunction } from 'node:net';
import { LRUCache } from 'lru-cache';
import PQueue from 'p-queue';
import webPush, { type RequestOptions, WebPushError } from 'web-push';
import { codeOf } from '#shared/errors/error-code.ts';
import {
  findAllowedAddresses,
  type PublicAddresses,
  UnreachableHostError,
} from '../clients/request-public-host.ts';
import type { PushServices, PushTarget } from './push-endpoint.ts';
import type { VapidKeySource } from './vapid-keys.ts';

export type PushMessage = {
  payload: string;
  /** RFC 8030 §5.4: the push service keeps one message of a topic for a browser that is offline. */
  topic: string;
};

/** `later`: not accepted, may be retried; `gone`: the browser has ended its subscription. */
export type PushResult =
  | { outcome: 'sent' | 'gone' }
  | { outcome: 'later'; afterSeconds: number }
  | { outcome: 'failed'; reason: string };

/** `started`: the message is being sent or was dropped, so more can be sent. */
type Sending = { started: Promise<void>; result: Promise<PushResult> };

export type PushSender = ReturnType<typeof createPushSender>;

type PushSenderOptions = {
  services: PushServices;
  keys: VapidKeySource;
  /** RFC 8292 §2.1: who runs this service, a URL or `mailto:`. */
  subject: string;
  /** Connects to the browsers' push services. */
  publicHosts: PublicAddresses;
};

const connectionsPerHost = 128;
const timeoutMilliseconds = 30_000;
/** Without a response of the host for this long, messages that wait for a connection are deferred. */
const stalledMilliseconds = 1_000;
/** A host without any response for this long gets no requests for a while. */
const pauseMilliseconds = 15_000;
const laterSeconds = 15;
/** How long a push service keeps a message for an offline browser. */
const timeToLiveSeconds = 12 * 3_600;
/** RFC 8292 §2: a token is valid for at most a day; `web-push` makes them for 12 hours. */
const authorizationMilliseconds = 6 * 3_600_000;

type Host = { queue: PQueue; respondedAt: number; pausedUntil: number };

/** Sends by `web-push`, with a queue per host, so that slow hosts do not delay others. */
export function createPushSender(options: PushSenderOptions) {
  const { services, keys, subject, publicHosts } = options;
  const pool = { keepAlive: true, maxSockets: connectionsPerHost };
  const publicAgent = new https.Agent({ ...pool, lookup: lookUpAllowed(publicHosts) });
  const ownAgent = new https.Agent(pool);
  /** Of queued messages: p-queue's own signal would also reject messages being sent. */
  const waiting = new Set<AbortController>();
  let isDraining = false;
  let isClosed = false;
  const hosts = new LRUCache<string, Host>({ max: 1_000 });
  const authorizations = new LRUCache<string, string>({ max: 1_000, ttl: authorizationMilliseconds });

  /** Signing is the most expensive step, so one signature per push service is reused. */
  async function authorizationFor(origin: string): Promise<string> {
    const known = authorizations.get(origin);
    if (known !== undefined) return known;
    const { publicKey, privateKey } = await keys();
    const { Authorization } = webPush.getVapidHeaders(origin, subject, publicKey, privateKey, 'aes128gcm');
    authorizations.set(origin, Authorization);
    return Authorization;
  }

  async function request({ endpoint, p256dh, authSecret }: PushTarget, message: PushMessage): Promise<void> {
    const { origin, host } = new URL(endpoint);
    const options: RequestOptions = {
      headers: { Authorization: await authorizationFor(origin) },
      TTL: timeToLiveSeconds,
      urgency: 'high',
      topic: message.topic,
      agent: services.isOwnHost(host) ? ownAgent : publicAgent,
      timeout: timeoutMilliseconds,
    };
    const subscription = { endpoint, keys: { p256dh, auth: authSecret } };
    await webPush.sendNotification(subscription, message.payload, options);
  }

  async function sendTo(host: Host, target: PushTarget, message: PushMessage): Promise<PushResult> {
    const startedAt = performance.now();
    try {
      await request(target, message);
      host.respondedAt = performance.now();
      return { outcome: 'sent' };
    } catch (error) {
      if (error instanceof WebPushError) {
        host.respondedAt = performance.now();
        return resultOf(error);
      }
      // Such as an idle connection closed by the push service; after `close` it was aborted by us.
      if (isReset(error) && !isClosed) return { outcome: 'later', afterSeconds: 1 };
      if (host.respondedAt < startedAt) host.pausedUntil = performance.now() + pauseMilliseconds;
      // It may have arrived, so it is not sent again.
      if (hasConnected(error)) return { outcome: 'failed', reason: 'no response' };
      return { outcome: 'later', afterSeconds: laterSeconds };
    }
  }

  async function sendInTurn(host: Host, start: () => Promise<PushResult>): Promise<PushResult> {
    if (isDraining) return { outcome: 'later', afterSeconds: 1 };
    if (host.pausedUntil > performance.now()) return { outcome: 'later', afterSeconds: laterSeconds };
    const controller = new AbortController();
    waiting.add(controller);
    const timer = setInterval(() => {
      if (performance.now() - host.respondedAt > stalledMilliseconds) controller.abort();
    }, stalledMilliseconds);
    const endWaiting = () => {
      waiting.delete(controller);
      clearInterval(timer);
    };
    const begin = (): Promise<PushResult> => {
      endWaiting();
      return start();
    };
    try {
      return await host.queue.add(begin, { signal: controller.signal });
    } catch (error) {
      endWaiting();
      if (!controller.signal.aborted) throw error;
      return { outcome: 'later', afterSeconds: isDraining ? 1 : laterSeconds };
    }
  }

  return {
    send(target: PushTarget, message: PushMessage): Sending {
      const host = hostOf(hosts, new URL(target.endpoint).host);
      const { promise: started, resolve } = Promise.withResolvers<void>();
      const start = (): Promise<PushResult> => {
        resolve();
        return sendTo(host, target, message);
      };
      return { started, result: sendInTurn(host, start).finally(resolve) };
    },
    /** Defers messages that are not being sent yet to another process. */
    drain(): void {
      isDraining = true;
      for (const controller of waiting) controller.abort();
    },
    /** Aborts messages being sent. They may have arrived, so they are not sent again. */
    close(): void {
      isClosed = true;
      publicAgent.destroy();
      ownAgent.destroy();
    },
  };
}

function hostOf(hosts: LRUCache<string, Host>, name: string): Host {
  const known = hosts.get(name);
  if (known !== undefined) return known;
  const queue = new PQueue({ concurrency: connectionsPerHost });
  const host = { queue, respondedAt: Number.NEGATIVE_INFINITY, pausedUntil: Number.NEGATIVE_INFINITY };
  hosts.set(name, host);
  return host;
}

/** RFC 8030 §5 and §7.3. */
function resultOf({ statusCode, headers }: WebPushError): PushResult {
  if (statusCode === 404 || statusCode === 410) return { outcome: 'gone' };
  if (statusCode !== 429 && statusCode < 500) return { outcome: 'failed', reason: `status ${statusCode}` };
  const asked = Number(headers['retry-after']);
  return { outcome: 'later', afterSeconds: Number.isFinite(asked) && asked > 0 ? asked : laterSeconds };
}

/** Errors before a connection was made: the push service received nothing. */
const beforeConnection = new Set([
  'ECONNREFUSED',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'EADDRNOTAVAIL',
]);

function hasConnected(error: unknown): boolean {
  return !(error instanceof UnreachableHostError || beforeConnection.has(codeOf(error)));
}

function isReset(error: unknown): boolean {
  return ['ECONNRESET', 'EPIPE'].includes(codeOf(error));
}

/** Refuses names that resolve to private addresses (SSRF). */
function lookUpAllowed(allowed: PublicAddresses): LookupFunction {
  return (hostname, _options, callback) => {
    const signal = AbortSignal.timeout(timeoutMilliseconds);
    findAllowedAddresses(hostname, allowed, signal).then(
      (addresses) => callback(null, addresses),
      (error: Error) => callback(error, []),
    );
  };
}
