import { createMcpHandler, McpServer, type ServerContext } from '@modelcontextprotocol/server';
import { AppError } from '#shared/errors/app-error.ts';
import type { Principal } from '../auth/principal.ts';
import type { Context } from '../context.ts';
import { openReadSession } from '../session.ts';
import { offerResources } from './assistant-resources.ts';
import { describeFailure } from './failure.ts';
import { requireSmallParts } from './input-parts.ts';
import { instructions } from './instructions.ts';
import { standardSchema } from './standard-schema.ts';
import type { Tool, ToolCall } from './tool.ts';
import { tools, toolsFor } from './tools.ts';
import { createTurns, type InTurn } from './turns.ts';

/** Whose request it is; `requestId` is what the log calls it, `gone` says that nobody waits for the answer. */
export type Exchange = { context: Context; principal: Principal; requestId: string; gone: AbortSignal };

type Serving = Exchange & { inTurn: InTurn };

const schemas = new Map(
  tools.map((tool) => [
    tool,
    { input: standardSchema(tool.input, requireSmallParts), output: standardSchema(tool.output) },
  ]),
);

/** Nothing is kept between requests, so nobody is told of changes. */
const unchanging = { listChanged: false };

/** Answers one request. */
export function createAssistantHandler(exchange: Exchange) {
  const { context, requestId, gone } = exchange;
  const serving = { ...exchange, inTurn: createTurns(gone) };
  return createMcpHandler(() => createAssistantServer(serving), {
    // Nothing here ever changes for a subscriber, and an open stream would hold up a shutdown.
    maxSubscriptions: 0,
    onerror: (error) =>
      context.logger.info({ err: error, requestId }, 'a message to the assistant server was refused'),
  });
}

/** A server for one request: it offers what the token may do and nothing else. */
function createAssistantServer(serving: Serving): McpServer {
  const { context, principal, inTurn } = serving;
  const canRead = principal.scopes.includes('read');
  const server = new McpServer(
    { name: 'tasks', title: 'Tasks', version: '1.0.0', websiteUrl: context.config.baseUrl },
    { instructions, capabilities: { tools: unchanging, ...(canRead && { resources: unchanging }) } },
  );
  for (const tool of toolsFor(principal.scopes)) offerTool(server, serving, tool);
  if (canRead) offerResources(server, inTurn, () => openCall(serving, async () => {}));
  return server;
}

function offerTool(server: McpServer, serving: Serving, tool: Tool): void {
  const { name, title, description, scope, hints } = tool;
  const annotations = {
    readOnlyHint: scope === 'read',
    destructiveHint: hints.isDestructive ?? false,
    idempotentHint: hints.isIdempotent ?? false,
    openWorldHint: false,
  };
  const schema = schemas.get(tool);
  server.registerTool(
    name,
    { title, description, annotations, inputSchema: schema?.input, outputSchema: schema?.output },
    (input, mcp) => {
      const call = openCall(serving, (done, total) => reportProgress(mcp, done, total));
      return serving.inTurn(() => runTool(call, tool, input));
    },
  );
}

function openCall(
  { context, principal, requestId, gone }: Exchange,
  tellProgress: ToolCall['reportProgress'],
): ToolCall {
  return {
    context,
    principal,
    requestId,
    gone,
    session: openReadSession(context.database, principal, context.clock),
    canRead: principal.scopes.includes('read'),
    reportProgress: tellProgress,
  };
}

async function runTool(call: ToolCall, tool: Tool, input: unknown) {
  try {
    if (tool.scope === 'write' && call.principal.account.status === 'suspended') {
      throw new AppError('account_suspended');
    }
    const { text, content, isFailure = false } = await tool.run(call, input);
    call.context.metrics.countToolCall(tool.name, isFailure ? 'failure' : 'success');
    return { content: [{ type: 'text' as const, text }], structuredContent: content, isError: isFailure };
  } catch (error) {
    call.context.metrics.countToolCall(tool.name, 'failure');
    const { message } = describeFailure(call, error);
    return { content: [{ type: 'text' as const, text: message }], isError: true };
  }
}

/** Only when the client asked, by a token of its own. A client that is gone hears nothing, which is no failure. */
async function reportProgress({ mcpReq }: ServerContext, progress: number, total: number): Promise<void> {
  const progressToken = mcpReq._meta?.progressToken;
  if (progressToken === undefined || total === 1) return;
  const params = { progressToken, progress, total };
  await mcpReq.notify({ method: 'notifications/progress', params }).catch(() => {});
}
