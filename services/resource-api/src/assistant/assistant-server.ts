import { randomUUID } from 'node:crypto';
import {
  createMcpHandler,
  McpServer,
  ProtocolError,
  ProtocolErrorCode,
  ResourceTemplate,
  type ServerContext,
} from '@modelcontextprotocol/server';
import PQueue from 'p-queue';
import { invalidField } from '#shared/errors/errors.ts';
import { changesData } from '#shared/scopes.ts';
import { requireScope } from '../http/authorize-request.ts';
import { openSession } from '../session.ts';
import { describeFailure } from './failure.ts';
import { formatPage } from './format-page.ts';
import { outlineOf, portableSchema, standardSchema } from './standard-schema.ts';
import type { FindInput } from './task-search.ts';
import type { Exchange, RunCall, Tool, ToolCall } from './tool.ts';
import { findPage } from './tools/find-tasks.ts';
import { tools } from './tools.ts';

/** For the model; less than 200 words for each connection. */
function instructionsFor(canRead: boolean, canWrite: boolean): string {
  const paragraphs = [
    'Tasks, projects and areas of one person’s account.',
    ...(canWrite ? [] : [readOnly]),
    ...(canRead ? [] : [writeOnly]),
    ...(canWrite ? [canRead ? `${undoable} recent_changes tells who did what.` : undoable] : []),
    lists,
    canRead ? `${dates} Answers say what time it is.` : dates,
    ...(canWrite ? [repeating] : []),
    ...(canRead ? [names] : []),
    ...(canWrite ? [changing] : []),
  ];
  return paragraphs.join('\n\n');
}

const readOnly =
  'This connection may only read. ' +
  'For changes the person connects it again and allows Write, or gives it a token that has it: ' +
  'tell them, and don’t look for a way around.';

const writeOnly =
  'This connection may only write: it needs ids instead of names, never made up, ' +
  'and answers hold ids alone. For more the person connects it again and allows Read.';

const undoable = 'Everything you change can be taken back for 30 days: say so at your first, and offer undo.';

const lists =
  'Every task is in exactly one list: the inbox, someday, or a project (perhaps in a section). ' +
  'today, upcoming and anytime are views. A task with a date shows on its day: name the day, not a list. ' +
  'Areas only group projects; there are no tags.';

const dates =
  'dueDate is the day a task is planned for, deadlineDate the day it must be done by: ' +
  'calendar dates in the account’s timezone.';

const repeating =
  'Completing a repeating task rolls it to its next date: it stays open with the same id. ' +
  'reschedule_tasks moves this occurrence only; skip_occurrence leaves one out; ' +
  'change_tasks changes the series.';

const names =
  'Take ids from find_tasks; never make ids up. ' +
  'Projects, sections and areas go by name; an ambiguous name gives candidates: ask, or use an id.';

const changing =
  'Tools take lists: each entry has its own result, and counts as a request of the limit per minute. ' +
  'Report failed ones. Trash tasks only when asked to delete; to give one up, cancel it.';

const offers = tools.map((tool) => {
  const { title, description, scope, hints = {}, input, output } = tool;
  // The protocol gives the others a meaning for tools that change something alone.
  const annotations = changesData(scope)
    ? {
        readOnlyHint: false,
        destructiveHint: hints.isDestructive ?? false,
        ...(hints.isIdempotent && { idempotentHint: true }),
        openWorldHint: false,
      }
    : { readOnlyHint: true, openWorldHint: false };
  const inputSchema = standardSchema(input, portableSchema(input), requireSmallParts);
  const outputSchema = standardSchema(output, outlineOf(output));
  return { tool, config: { title, description, annotations, inputSchema, outputSchema } };
});

/** Without a session there are no notifications of changes. */
const unchanging = { listChanged: false };

/** A handler for one request. The messages of a batch run one after another, like single messages would. */
export function createAssistantHandler(exchange: Exchange) {
  const { context, requestId } = exchange;
  const calls = new PQueue({ concurrency: 1 });
  return createMcpHandler(() => createAssistantServer(exchange, calls), {
    // An open stream would delay a shutdown.
    maxSubscriptions: 0,
    onerror: (error) =>
      context.logger.info({ err: error, requestId }, 'a message to the assistant server was refused'),
  });
}

/** Offers what the scopes of the token allow. */
function createAssistantServer(exchange: Exchange, calls: PQueue): McpServer {
  const { context, principal } = exchange;
  const canRead = principal.scopes.includes('read');
  const run: RunCall = (mcp, work) => calls.add(() => work(openCall(exchange, mcp)));
  const server = new McpServer(
    { name: 'tasks', title: 'Tasks', version: '1.0.0', websiteUrl: context.config.baseUrl },
    {
      instructions: instructionsFor(canRead, principal.scopes.includes('write')),
      capabilities: { tools: unchanging, ...(canRead && { resources: unchanging }) },
    },
  );
  for (const { tool, config } of offers.filter((offer) => principal.scopes.includes(offer.tool.scope)))
    server.registerTool(tool.name, config, (input, mcp) => run(mcp, (call) => runTool(call, tool, input)));
  if (canRead) offerResources(server, run);
  return server;
}

/** Throws when the client has disconnected: the rest of its batch is not begun. */
function openCall(exchange: Exchange, mcp: ServerContext): ToolCall {
  const { context, gone } = exchange;
  gone.throwIfAborted();
  const principal = { ...exchange.principal, callId: randomUUID() };
  const db = context.accountShare.statementsOf(principal.account.id, context.database);
  return {
    ...exchange,
    principal,
    session: openSession(db, principal, context.clock),
    canRead: principal.scopes.includes('read'),
    described: new Set(),
    reportProgress: (done, total) => reportProgress(mcp, done, total),
  };
}

async function runTool(call: ToolCall, tool: Tool, input: unknown) {
  try {
    requireScope(tool, call.principal);
    const { text, content, isFailure = false } = await tool.run(call, input);
    call.context.metrics.countToolCall(tool.name, isFailure ? 'failure' : 'success');
    return { content: [{ type: 'text' as const, text }], structuredContent: content, isError: isFailure };
  } catch (error) {
    call.context.metrics.countToolCall(tool.name, 'failure');
    const { message } = describeFailure(call, error);
    return { content: [{ type: 'text' as const, text: message }], isError: true };
  }
}

/** Only for clients that asked, by a progress token. Failing to notify is no failure of the call. */
async function reportProgress({ mcpReq }: ServerContext, progress: number, total: number): Promise<void> {
  const progressToken = mcpReq._meta?.progressToken;
  if (progressToken === undefined || total === 1) return;
  const params = { progressToken, progress, total };
  await mcpReq.notify({ method: 'notifications/progress', params }).catch(() => {});
}

/** More than twice what an entry holds at the most. */
const maximumValues = 2_000;

/**
 * Checking a part of the input costs no more than checking a body of the API. Entries of a list are parts of
 * their own: those of a batch are checked one by one, with turns of the event loop in between.
 */
function requireSmallParts(input: unknown): void {
  for (const [name, member] of Object.entries(Object(input))) {
    const parts = Array.isArray(member) && member.length <= maximumValues ? member : [member];
    if (parts.every((part) => countValues(part) <= maximumValues)) continue;
    throw invalidField(name, `${name} holds more than ${maximumValues} values in one place.`);
  }
}

/** The reader of the body has limited the depth. */
function countValues(value: unknown): number {
  if (typeof value !== 'object' || value === null) return 0;
  return Object.values(value).reduce((count, member) => count + 1 + countValues(member), 0);
}

const mimeType = 'text/markdown';

/** The lists of find_tasks as text, for a person to attach to a conversation. */
function offerResources(server: McpServer, run: RunCall): void {
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
    const ending = isWhole ? [] : ['There are more: find_tasks shows them.'];
    const { text } = await formatPage(call, page, { ending });
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
