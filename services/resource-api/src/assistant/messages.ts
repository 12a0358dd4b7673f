import { AppError } from '#shared/errors/app-error.ts';
import { invalidField } from '#shared/errors/errors.ts';
import type { Scope } from '#shared/scopes.ts';
import { tools } from './tools.ts';

/** What is asked of a message before the protocol reads it; nothing of it is known to be what it should be. */
export type Message = { id?: unknown; method?: unknown; params?: { name?: unknown } | null };

/** Each counts as a request, and they are answered one after another. */
const maximumMessages = 10;

/** The message of a body, or those of a batch. Throws validation_error on `body`. */
export function readMessages(body: unknown): Message[] {
  const messages: Message[] = [body].flat().map((message) => Object(message));
  if (messages.length > maximumMessages)
    throw invalidField('body', `A batch holds at most ${maximumMessages} messages.`);
  requireDistinctIds(messages);
  return messages;
}

/** Of two requests with one id (JSON-RPC 2.0 §4), the SDK would run both and answer one. */
function requireDistinctIds(messages: readonly Message[]): void {
  const ids = messages.flatMap(({ id }) => id ?? []);
  if (new Set(ids).size < ids.length)
    throw invalidField('body', 'Two messages of the batch have the same id.');
}

/** Answered over HTTP and not by the protocol, so that a client can ask its user for more (RFC 6750 §3.1). */
export function requireScopes(scopes: readonly Scope[], messages: readonly Message[]): void {
  for (const message of messages) {
    const { what, scope } = needOf(message) ?? {};
    if (scope === undefined || scopes.includes(scope)) continue;
    throw new AppError('insufficient_scope', { message: `${what} needs the scope «${scope}».` });
  }
}

function needOf({ method, params }: Message): { what: string; scope: Scope } | undefined {
  if (method === 'resources/read') return { what: 'A resource', scope: 'read' };
  const tool = method === 'tools/call' ? tools.find(({ name }) => name === params?.name) : undefined;
  return tool && { what: `The tool ${tool.name}`, scope: tool.scope };
}
