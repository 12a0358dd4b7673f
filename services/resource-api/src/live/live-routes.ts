import type { LiveEvent } from '#shared/app/app-protocol.ts';
import { markStreamOpen } from '#shared/http/open-stream.ts';
import type { StreamRoute } from '../http/route.ts';

/** Gateways close connections that are idle for a minute. */
const commentMilliseconds = 20_000;
/** Limit of unread bytes; above it the client is disconnected. */
const unreadBytes = 65_536;
const longestStreamMilliseconds = 600_000;

export const liveRoute: StreamRoute = {
  operation: {
    operationId: 'followChanges',
    method: 'get',
    path: '/live',
    tag: 'Web app',
    summary: 'An event for every change',
    scope: 'read',
    success: { status: 200, description: 'An event stream of LiveEvents.' },
  },
  async stream({ live, clock }, principal, _request, { req, res }) {
    const { promise: ended, resolve: end } = Promise.withResolvers<void>();
    const write = (text: string): void => {
      res.write(text);
      if (res.writableLength > unreadBytes) res.destroy();
    };
    const stopListening = live.listen(principal.account.id, {
      sessionId: principal.credentialId,
      send: (event: LiveEvent) => write(`data: ${JSON.stringify(event)}\n\n`),
      end,
    });
    markStreamOpen(res);
    const untilExpiry = (principal.expiresAt?.getTime() ?? Number.POSITIVE_INFINITY) - clock.now().getTime();
    // The next one may follow at once: streams do not all end now, as they do when a replica stops.
    const renew = () => {
      write('retry: 0\n\n');
      end();
    };
    const expiry = setTimeout(renew, Math.min(untilExpiry, longestStreamMilliseconds));
    const comments = setInterval(() => write(':\n\n'), commentMilliseconds);
    res.once('close', end);
    res.status(200).set({ 'Content-Type': 'text/event-stream', 'X-Accel-Buffering': 'no' });
    if (req.method === 'HEAD') end();
    else write(':\n\n');
    await ended;
    clearTimeout(expiry);
    clearInterval(comments);
    stopListening();
    res.end();
  },
};
