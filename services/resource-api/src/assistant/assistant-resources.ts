import {
  type McpServer,
  ProtocolError,
  ProtocolErrorCode,
  ResourceTemplate,
} from '@modelcontextprotocol/server';
import { describeFailure } from './failure.ts';
import type { ToolCall } from './tool.ts';
import { findTasks } from './tools/find-tasks.ts';

const mimeType = 'text/markdown';

/** What a person attaches to a conversation: the same lists that find_tasks gives, as text. */
export function offerResources(server: McpServer, openCall: () => ToolCall): void {
  const lists = [
    { view: 'today', title: 'Today', description: 'What is planned or due today, overdue tasks included.' },
    { view: 'inbox', title: 'Inbox', description: 'What has not been sorted yet.' },
  ];
  for (const { view, title, description } of lists) {
    server.registerResource(view, `tasks://${view}`, { title, description, mimeType }, ({ href }) =>
      read(openCall(), href, { view }),
    );
  }
  server.registerResource(
    'project',
    new ResourceTemplate('tasks://projects/{id}', { list: undefined }),
    { title: 'A project', description: 'The open tasks of a project, by its id.', mimeType },
    ({ href }, { id }) => read(openCall(), href, { project: String(id) }),
  );
}

const longestList = 100;

async function read(call: ToolCall, uri: string, search: object) {
  try {
    const { text } = await findTasks.run(call, { ...search, limit: longestList });
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
