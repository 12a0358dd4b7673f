import { McpServer, type ServerContext } from '@modelcontextprotocol/server';
import { AppError } from '#shared/errors/app-error.ts';
import type { Principal } from '../auth/principal.ts';
import type { Context } from '../context.ts';
import { openReadSession } from '../session.ts';
import { describeFailure } from './failure.ts';
import { instructions } from './instructions.ts';
import { standardSchema } from './standard-schema.ts';
import type { Tool, ToolCall } from './tool.ts';
import { tools, toolsFor } from './tools.ts';

const schemas = new Map(
  tools.map((tool) => [tool, { input: standardSchema(tool.input), output: standardSchema(tool.output) }]),
);

/** A server for one request: it offers what the token may do and nothing else. */
export function createAssistantServer(context: Context, principal: Principal): McpServer {
  const server = new McpServer(
    { name: 'tasks', title: 'Tasks', version: '1.0.0', websiteUrl: context.config.baseUrl },
    { instructions },
  );
  for (const tool of toolsFor(principal.scopes)) {
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
      (input, mcp) => runTool(context, principal, tool, input, mcp),
    );
  }
  return server;
}

async function runTool(
  context: Context,
  principal: Principal,
  tool: Tool,
  input: unknown,
  mcp: ServerContext,
) {
  const call: ToolCall = {
    context,
    principal,
    session: openReadSession(context.orm.em, principal, context.clock),
    canRead: principal.scopes.includes('read'),
    reportProgress: (done, total) => reportProgress(mcp, done, total),
  };
  try {
    if (tool.scope === 'write' && principal.account.status === 'suspended') {
      throw new AppError('account_suspended');
    }
    const { text, content } = await tool.run(call, input);
    return { content: [{ type: 'text' as const, text }], structuredContent: content };
  } catch (error) {
    const failure = describeFailure(call, error);
    return { content: [{ type: 'text' as const, text: failure.message }], isError: true };
  }
}

/** Only when the client asked, by a token of its own. */
async function reportProgress({ mcpReq }: ServerContext, progress: number, total: number): Promise<void> {
  const progressToken = mcpReq._meta?.progressToken;
  if (progressToken === undefined || total === 1) return;
  await mcpReq.notify({ method: 'notifications/progress', params: { progressToken, progress, total } });
}
