import { randomUUID } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { isIPv6 } from 'node:net';
import type { AppError } from '../errors/app-error.ts';
import { invalidField } from '../errors/errors.ts';
import { toProblem } from './problem.ts';

export type Refusal = { status: number; fault: string };

export const refusals = {
  malformed: { status: 400, fault: 'The request is not valid HTTP.' },
  unknownCoding: { status: 400, fault: 'The request has a transfer coding other than chunked.' },
  late: { status: 408, fault: 'The request did not arrive in time.' },
  longHead: { status: 431, fault: 'The request line and the headers are too long.' },
} satisfies Record<string, Refusal>;

export function malformedRequest(): AppError {
  return invalidField('request', refusals.malformed.fault);
}

/** The parts of an answer to what is refused before any middleware runs, in the API's error shape. */
export function renderRefusal({ status, fault }: Refusal) {
  const requestId = randomUUID();
  const body = JSON.stringify(toProblem(invalidField('request', fault), requestId));
  const headers = {
    'Access-Control-Allow-Origin': '*',
    'Access-Control-Expose-Headers': 'X-Request-Id',
    'Cache-Control': 'no-store',
    Connection: 'close',
    'Content-Type': 'application/json; charset=utf-8',
    'Content-Length': Buffer.byteLength(body),
    'X-Content-Type-Options': 'nosniff',
    'X-Request-Id': requestId,
  };
  return { status, headers, body };
}

/** What Node lets pass of a request's head, or would refuse without a body. */
export function faultOfHead(req: IncomingMessage): Refusal | undefined {
  const { headers, headersDistinct, httpVersion } = req;
  const hosts = headersDistinct.host ?? (httpVersion === '1.0' ? [''] : []);
  if (hosts.length !== 1 || !hosts.every(isHost)) return refusals.malformed;
  const coding = headers['transfer-encoding'];
  // With any other coding nobody knows what the body says, or where it ends (RFC 9112 §6.1).
  return coding === undefined || coding.toLowerCase() === 'chunked' ? undefined : refusals.unknownCoding;
}

/** RFC 9112 §3.2: `uri-host [ ":" port ]`, which may be empty. */
function isHost(value: string): boolean {
  const address = /^\[([\da-f:.]+)\](?::\d*)?$/i.exec(value)?.[1];
  if (address !== undefined) return isIPv6(address);
  return /^(?:[\w.~!$&'()*+,;=-]|%[\da-f]{2})*(?::\d*)?$/i.test(value);
}
