import type { ToolCall } from './tool.ts';

/** What is told of an effect. It was done though it cannot be read now: the failure is logged, and `otherwise` told. */
export async function tellOf<Told>(
  { context, requestId }: Pick<ToolCall, 'context' | 'requestId'>,
  tell: () => Promise<Told>,
  otherwise: Told,
): Promise<Told> {
  try {
    return await tell();
  } catch (error) {
    context.logger.error({ err: error, requestId }, 'what a tool has done could not be described');
    return otherwise;
  }
}
