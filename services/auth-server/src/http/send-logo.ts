import type { Response } from 'express';

/** Sends a re-encoded picture. `undefined` is 204, since a missing logo is no error. */
export function sendLogo(res: Response, image: Buffer | undefined): void {
  res.set({
    'Cache-Control': 'private, max-age=3600',
    'Content-Security-Policy': "default-src 'none'",
    'Cross-Origin-Resource-Policy': 'same-origin',
  });
  if (image === undefined) res.status(204).end();
  else res.type('image/png').send(image);
}
