import { browserSecret } from '../browser/csrf.ts';
import type { Exchange } from '../http/route.ts';
import { createChallenges } from './passkey-challenge.ts';
import type { PasskeySite } from './passkey-service.ts';

/** The site as seen by the requesting browser. May set a cookie, so call it before the response is sent. */
export function passkeySiteOf(exchange: Exchange): PasskeySite {
  const { config, clock, pageSecret } = exchange.context;
  const challenges = createChallenges({ pageSecret, now: clock.now() }, browserSecret(exchange));
  return { baseUrl: config.baseUrl, challenges };
}
