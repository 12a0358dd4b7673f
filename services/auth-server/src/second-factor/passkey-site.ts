import type { Request, Response } from 'express';
import { browserSecret } from '../browser/csrf.ts';
import type { Context } from '../context.ts';
import { createChallenges } from './passkey-challenge.ts';
import type { PasskeySite } from './passkey-service.ts';

/** This service, as the browser that sent the request sees it. Before the response is sent: it may set a cookie. */
export function passkeySiteOf(context: Context, req: Request, res: Response): PasskeySite {
  const { config, clock, pageSecret } = context;
  const challenges = createChallenges({ pageSecret, now: clock.now() }, browserSecret(context, req, res));
  return { baseUrl: config.baseUrl, challenges };
}
