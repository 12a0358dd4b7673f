import type { IncomingMessage as Request, ServerResponse as Response, ServerOptions } from 'node:http';
import type { Express } from 'express';
import { IncomingMessage, ServerResponse } from './node-http.ts';

export type MessageClasses = Pick<ServerOptions, 'IncomingMessage' | 'ServerResponse'>;

/**
 * Classes for a server whose requests `app` answers. Express changes the prototypes of every request and answer to
 * its app's; made with these they have them from the start, and stay objects of a shape that V8 knows.
 */
export function expressMessages(app: Express): MessageClasses {
  return {
    IncomingMessage: madeWith<typeof Request>(IncomingMessage, app.request),
    ServerResponse: madeWith<typeof Response>(ServerResponse, app.response),
  };
}

/** A constructor as `base`, of objects whose prototype is `prototype`, which inherits that of `base`. */
function madeWith<Constructor>(base: Constructor, prototype: object): Constructor {
  function Made(...values: unknown[]): unknown {
    return Reflect.construct(base as new () => unknown, values as [], Made);
  }
  Made.prototype = prototype;
  return Made as unknown as Constructor;
}
