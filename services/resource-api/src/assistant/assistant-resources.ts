import {
  type McpServer,
  ProtocolError,
  ProtocolErrorCode,
  ResourceTemplate,
} from '@modelcontextprotocol/server';
import { describeFailure } from './failure.ts';
import { formatPage } from './format-page.ts';
import type { RunCall, ToolCall } from './tool.ts';
import { type FindInput, findPage } from './tools/find-tasks.ts';

const mimeType = 'text/markdown';

/** The lists of find_tasks as text, for a person to attach to a conversation. */
export function offerResources(server: McpServer, run: RunCall): void {
  const lists = [
    { view: 'today', title: 'Today', description: 'What is planned or due today, overdue tasks included.' },
    { view: 'inbox', title: 'Inbox', description: 'What has not been sorted yet.' },
  ] as const;
  for (const { view, title, description } of lists) {
    server.registerResource(view, `tasks://${view}`, { title, description, mimeType }, ({ href }, mcp) =>
      run(mcp, (call) => readList(call, href, { view })),
    );
  }
  server.registerResource(
    'project',
    new ResourceTemplate('tasks://projects/{id}', { list: undefined }),
    { title: 'A project', description: 'The open tasks of a project, by its id.', mimeType },
    ({ href }, { id }, mcp) => run(mcp, (call) => readList(call, href, { project: String(id) })),
  );
}

const longestList = 100;

async function readList(call: ToolCall, uri: string, search: FindInput) {
  try {
    const page = await findPage(call, { ...search, limit: longestList });
    const isWhole = page.nextCursor === null;
    const { text } = await formatPage(call, page, isWhole ? [] : ['There are more: find_tasks shows them.']);
    return { contents: [{ uri, mimeType, text }] };
  } catch (error) {
    const { code, message } = describeFailure(call, error);
    const isInternal = code === 'internal_error' || code === 'service_unavailable';
    throw new ProtocolError(
      isInternal ? ProtocolErrorCode.InternalError : ProtocolErrorCode.InvalidParams,
      message,
    );
  }
}
