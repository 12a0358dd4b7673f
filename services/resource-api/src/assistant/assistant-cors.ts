import { apiCorsRules, openToAnyOrigin } from '#shared/http/cors.ts';

/** The assistant server's: what clients of both generations of the protocol send beside the API's own headers. */
export const allowAnyAssistantOrigin = openToAnyOrigin({
  ...apiCorsRules,
  methods: ['POST'],
  requestHeaders: [
    ...apiCorsRules.requestHeaders,
    'MCP-Protocol-Version',
    'Mcp-Session-Id',
    'Mcp-Method',
    'Mcp-Name',
    'Last-Event-ID',
  ],
});
