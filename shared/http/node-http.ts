import type http from 'node:http';

/**
 * What is used of Node's module at run time. An `import` of it fills in all its exports, and with the classes of
 * WebSocket among them loads a client of HTTP that nobody here uses: five megabytes of resource-api, twelve of the
 * image's health check.
 */
export const { Agent, createServer, get, IncomingMessage, request, ServerResponse, STATUS_CODES } =
  process.getBuiltinModule('node:http');
export type Agent = http.Agent;
