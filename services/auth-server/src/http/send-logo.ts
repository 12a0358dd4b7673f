import type { Response } from 'express';

/** A picture that was re-encoded here; `undefined`: there is none, which is no error of a page that shows it. */
export function sendLogo(res: Response, image: Buffer | undefined): void {
  res.set({
    'Cache-Control': 'private, max-age=3600',
    'Content-Security-Policy': "default-src 'none'",
    'Cross-Origin-Resource-Policy': 'same-origin',
    'X-Content-Type-Options': 'nosniff',
  });
  if (image === undefined) res.status(204).end();
  else res.type('image/png').send(image);
}
