/**
 * What is used of Node's module at run time. An `import` of it fills in all its exports, and with the classes of
 * WebSocket among them loads a client of HTTP that nobody here uses: five megabytes of resource-api.
 */
export const { createServer, STATUS_CODES } = process.getBuiltinModule('node:http');
