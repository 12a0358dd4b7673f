import type { NextFunction, Request, Response } from 'express';

/** Answers belong to one account: no cache may keep them, and no browser may take them for anything but JSON. */
export function privateJson(_req: Request, res: Response, next: NextFunction): void {
  res.setHeader('Cache-Control', 'no-store');
  res.setHeader('X-Content-Type-Options', 'nosniff');
  next();
}
