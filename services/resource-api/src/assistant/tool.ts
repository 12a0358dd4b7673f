import type { AnyObjectSchema, InferType } from 'yup';
import type { Scope } from '#shared/scopes.ts';
import type { Principal } from '../auth/principal.ts';
import type { Context } from '../context.ts';
import type { Session } from '../session.ts';

/** What a tool works with: one call of one principal. */
export type ToolCall = {
  context: Context;
  principal: Principal;
  /** A read session of this call. */
  session: Session;
  /** Whether the caller may see content; without it, results carry ids and success alone. */
  canRead: boolean;
  /** The client is gone. */
  gone: AbortSignal;
  /** The HTTP request, as the log knows it. */
  requestId: string;
  /** Tells the client how far a batch has come, if it asked. */
  reportProgress(done: number, total: number): Promise<void>;
};

export type ToolHints = {
  /** What is lost could be missed. */
  isDestructive?: boolean;
  /** A second call with the same input changes nothing more. */
  isIdempotent?: boolean;
};

/** A tool as it is offered and run. Its input is validated before, its output before it is sent. */
export type Tool = {
  name: string;
  title: string;
  description: string;
  scope: Scope;
  hints: ToolHints;
  input: AnyObjectSchema;
  output: AnyObjectSchema;
  run(call: ToolCall, input: unknown): Promise<ToolAnswer>;
};

/** `text` is what a model reads first; `content` is the whole, in the shape of the tool's output. */
export type ToolAnswer<Content = Record<string, unknown>> = {
  text: string;
  content: Content;
  /** Nothing of what was asked for was done. */
  isFailure?: boolean;
};

type Definition<Input extends AnyObjectSchema, Output extends AnyObjectSchema> = Omit<
  Tool,
  'input' | 'output' | 'run'
> & {
  input: Input;
  output: Output;
  run(call: ToolCall, input: InferType<Input>): Promise<ToolAnswer<InferType<Output>>>;
};

export function defineTool<Input extends AnyObjectSchema, Output extends AnyObjectSchema>({
  run,
  ...tool
}: Definition<Input, Output>): Tool {
  return { ...tool, run: (call, input) => run(call, input as InferType<Input>) };
}
