import { browserSecret } from '../browser/csrf.ts';
import type { Exchange } from '../http/route.ts';
import { createChallenges } from './passkey-challenge.ts';
import type { PasskeySite } from './passkey-service.ts';

/** This service, as the browser that sent the request sees it. Before the response is sent: it may set a cookie. */
export function passkeySiteOf(exchange: Exchange): PasskeySite {
  const { config, clock, pageSecret } = exchange.context;
  const challenges = createChallenges({ pageSecret, now: clock.now() }, browserSecret(exchange));
  return { baseUrl: config.baseUrl, challenges };
}
