import { isDeepStrictEqual } from 'node:util';
import { sendOnce } from '../measure/load.ts';

type Asked = { port: number; request: Buffer };

/**
 * Throws unless both servers answer with the same JSON. Cursors, which each server makes its own way, only have to be
 * there or not on both sides.
 */
export async function requireSameAnswer(ours: Asked, reference: Asked, signal: AbortSignal): Promise<void> {
  const [first, second] = await Promise.all([ours, reference].map((asked) => readAnswer(asked, signal)));
  if (isDeepStrictEqual(first, second)) return;
  const shown = [first, second].map((answer) => JSON.stringify(answer).slice(0, 600));
  throw new Error(`the reference answers otherwise:\n${shown.join('\n')}`);
}

async function readAnswer({ port, request }: Asked, signal: AbortSignal): Promise<unknown> {
  const { status, body } = await sendOnce(port, request, signal);
  const content: unknown = JSON.parse(String(body));
  if (status !== 200) throw new Error(`the first request is answered with ${status}: ${String(body)}`);
  if (!(content instanceof Object) || !('nextCursor' in content)) return content;
  return { ...content, nextCursor: typeof content.nextCursor };
}
