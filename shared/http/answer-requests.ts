import type { RequestListener, Server, ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';
import { closeInStages, endWithAnswer } from './connection-end.ts';
import { faultOfHead, type Refusal, refusals, renderRefusal } from './malformed-request.ts';
import { STATUS_CODES } from './node-http.ts';

/** All that have come too late since the look before are refused at once: hundreds of them would keep others waiting. */
export const slowCheckMilliseconds = 250;

/** The answer to the last request that began on a connection, until both are over. */
type Connection = { answer: ServerResponse | undefined };

/** How Node hands over a request; one that expects something has events of its own (RFC 9110 §10.1.1). */
export const requestEvents = ['request', 'checkContinue', 'checkExpectation'] as const;

const refusalOfCode: Readonly<Record<string, Refusal>> = {
  HPE_HEADER_OVERFLOW: refusals.longHead,
  ERR_HTTP_REQUEST_TIMEOUT: refusals.late,
};

/**
 * Has `server` answer with `app` whatever is a request, and refuse the rest in the API's error shape. An expectation
 * nobody knows is passed over; whether to go on with its body a client is told by what reads the body.
 */
export function answerRequests(server: Server, app: RequestListener): void {
  const connections = new WeakMap<Duplex, Connection>();
  const listener: RequestListener = (req, res) => {
    const connection = connections.get(req.socket) ?? { answer: undefined };
    connections.set(req.socket, connection);
    connection.answer = res;
    res.once('close', () => {
      if (connection.answer === res && req.complete) connection.answer = undefined;
    });
    const fault = faultOfHead(req);
    if (fault === undefined) app(req, res);
    else refuse(res, fault);
  };
  for (const event of requestEvents) server.on(event, listener);
  server.on('clientError', (error: NodeJS.ErrnoException, socket) => {
    answerFault(error, socket, connections.get(socket)?.answer);
  });
}

function refuse(res: ServerResponse, fault: Refusal): void {
  const { status, headers, body } = renderRefusal(fault);
  endWithAnswer(res);
  res.writeHead(status, headers).end(body);
}

/**
 * Node's parser met a fault, or a limit of time was reached. After that nobody knows where the next request starts,
 * and a request has one answer: nothing may be written in the place or into the middle of another.
 */
function answerFault(
  { code = '' }: NodeJS.ErrnoException,
  socket: Duplex,
  answer: ServerResponse | undefined,
): void {
  if (code === 'ECONNRESET' || !socket.writable) {
    socket.destroy();
  } else if (answer === undefined || isNext(answer, socket)) {
    const { status, headers, body } = renderRefusal(refusalOfCode[code] ?? refusals.malformed);
    const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
    socket.write(`HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n${lines.join('')}\r\n${body}`);
    closeInStages(socket);
  } else if (isWritten(answer, socket)) {
    closeInStages(socket);
  } else {
    socket.destroy();
  }
}

/** Whether what is written now would be the answer to the request that has the fault. */
function isNext(answer: ServerResponse, socket: Duplex): boolean {
  return answer.req.complete ? isWritten(answer, socket) : answer.socket === socket && !answer.headersSent;
}

/** Behind another answer it has no socket yet, and none any more when it is out. */
function isWritten(answer: ServerResponse, socket: Duplex): boolean {
  return answer.writableFinished || (answer.writableEnded && answer.socket === socket);
}
