import type { NextFunction, Request, Response } from 'express';
import { assistantPath } from '#shared/http/protected-resource-urls.ts';

/** What clients of both generations of the protocol send; the API's own list knows the first two alone. */
const requestHeaders = [
  'Authorization',
  'Content-Type',
  'MCP-Protocol-Version',
  'Mcp-Session-Id',
  'Mcp-Method',
  'Mcp-Name',
  'Last-Event-ID',
].join(', ');

/** The assistant server's preflight: any origin, no credentials, and the headers of the protocol. */
export function answerAssistantPreflight(req: Request, res: Response, next: NextFunction): void {
  if (req.method !== 'OPTIONS' || req.path !== assistantPath) {
    next();
    return;
  }
  res.set({
    'Access-Control-Allow-Origin': '*',
    'Access-Control-Allow-Methods': 'POST',
    'Access-Control-Allow-Headers': requestHeaders,
    'Access-Control-Max-Age': '86400',
  });
  res.status(204).end();
}
