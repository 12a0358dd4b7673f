import type { ToolCall } from './tool.ts';

/** Describes what was done. A failure to read it is logged and gives `otherwise`: what was done stays done. */
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
