import type { ToolCall } from './tool.ts';

/**
 * Reads and describes the result of a change. If that fails, the failure is logged and `otherwise` is
 * returned: the change itself succeeded.
 */
export async function describeEffect<Description>(
  { context, requestId }: ToolCall,
  describe: () => Promise<Description>,
  otherwise: Description,
): Promise<Description> {
  try {
    return await describe();
  } catch (error) {
    context.logger.error({ err: error, requestId }, 'what a tool has done could not be described');
    return otherwise;
  }
}
