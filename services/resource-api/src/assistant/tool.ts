import type { ServerContext } from '@modelcontextprotocol/server';
import type { AnyObjectSchema, InferType } from 'yup';
import type { LimitVerdict } from '#shared/rate-limit/limit-headers.ts';
import type { Scope } from '#shared/scopes.ts';
import type { Principal } from '../auth/principal.ts';
import type { Context } from '../context.ts';
import type { Session } from '../session.ts';

/** One HTTP request. `gone`: its client has disconnected. */
export type Exchange = {
  context: Context;
  principal: Principal;
  requestId: string;
  gone: AbortSignal;
  /**
   * Counts another request of the token: every entry of a list except the first, which the message itself
   * counts.
   */
  countEntry(): Promise<LimitVerdict>;
};

export type ToolCall = Exchange & {
  /** The history keeps the call's changes under `callId`. */
  principal: { callId: string };
  session: Session;
  /** The token has the scope `read`; without it results hold ids and success alone. */
  canRead: boolean;
  /** Stamps of the call's transactions that were described already. */
  described: Set<string>;
  reportProgress(done: number, total: number): Promise<void>;
};

/** Starts a call; calls of a request run one after another. */
export type RunCall = <Result>(
  mcp: ServerContext,
  work: (call: ToolCall) => Promise<Result>,
) => Promise<Result>;

/** Input is validated before a run, output before it is sent. */
export type Tool = {
  name: string;
  title: string;
  description: string;
  scope: Scope;
  /** Of a tool that changes something. */
  hints?: { isDestructive?: boolean; isIdempotent?: boolean };
  input: AnyObjectSchema;
  output: AnyObjectSchema;
  run(call: ToolCall, input: unknown): Promise<ToolResult>;
};

/** `text` is for the model; `content` has the shape of the tool's output. */
type ToolResult<Content = Record<string, unknown>> = {
  text: string;
  content: Content;
  /** Nothing was changed. */
  isFailure?: boolean;
};

type Definition<Input extends AnyObjectSchema, Output extends AnyObjectSchema> = Omit<
  Tool,
  'input' | 'output' | 'run'
> & {
  input: Input;
  output: Output;
  run(call: ToolCall, input: InferType<Input>): Promise<ToolResult<InferType<Output>>>;
};

export function defineTool<Input extends AnyObjectSchema, Output extends AnyObjectSchema>({
  run,
  ...tool
}: Definition<Input, Output>): Tool {
  return { ...tool, run: (call, input) => run(call, input as InferType<Input>) };
}
