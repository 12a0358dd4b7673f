import {
  type McpServer,
  ProtocolError,
  ProtocolErrorCode,
  ResourceTemplate,
} from '@modelcontextprotocol/server';
import { describeFailure } from './failure.ts';
import { tellPage } from './tell-page.ts';
import type { ToolCall } from './tool.ts';
import { type FindInput, findPage } from './tools/find-tasks.ts';
import type { InTurn } from './turns.ts';

const mimeType = 'text/markdown';

/** What a person attaches to a conversation: the same lists that find_tasks gives, as text. */
export function offerResources(server: McpServer, inTurn: InTurn, openCall: () => ToolCall): void {
  const read = (uri: string, search: FindInput) => inTurn(() => readList(openCall(), uri, search));
  const lists = [
    { view: 'today', title: 'Today', description: 'What is planned or due today, overdue tasks included.' },
    { view: 'inbox', title: 'Inbox', description: 'What has not been sorted yet.' },
  ] as const;
  for (const { view, title, description } of lists) {
    server.registerResource(view, `tasks://${view}`, { title, description, mimeType }, ({ href }) =>
      read(href, { view }),
    );
  }
  server.registerResource(
    'project',
    new ResourceTemplate('tasks://projects/{id}', { list: undefined }),
    { title: 'A project', description: 'The open tasks of a project, by its id.', mimeType },
    ({ href }, { id }) => read(href, { project: String(id) }),
  );
}

const longestList = 100;

async function readList(call: ToolCall, uri: string, search: FindInput) {
  try {
    const page = await findPage(call, { ...search, limit: longestList });
    const isWhole = page.nextCursor === null;
    const { text } = await tellPage(call, page, isWhole ? [] : ['There are more: find_tasks shows them.']);
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
