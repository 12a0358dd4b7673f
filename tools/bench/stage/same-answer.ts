import { isDeepStrictEqual } from 'node:util';
import { sendOnce } from '../measure/load.ts';

type Asked = { port: number; requests: readonly Buffer[] };

/**
 * Throws unless both servers answer each request with the same JSON. Cursors, which each server makes its own way,
 * only have to be there or not on both sides.
 */
export async function requireSameAnswers(ours: Asked, reference: Asked, signal: AbortSignal): Promise<void> {
  for (const index of ours.requests.keys()) {
    const [first, second] = await Promise.all(
      [ours, reference].map(({ port, requests }) => readAnswer(port, requests[index], signal)),
    );
    if (isDeepStrictEqual(first, second)) continue;
    const shown = [first, second].map((answer) => JSON.stringify(answer).slice(0, 600));
    throw new Error(`the reference answers otherwise:\n${shown.join('\n')}`);
  }
}

async function readAnswer(
  port: number,
  request: Buffer = Buffer.of(),
  signal: AbortSignal,
): Promise<unknown> {
  const { status, body } = await sendOnce(port, request, signal);
  const content: unknown = JSON.parse(String(body));
  if (status !== 200) throw new Error(`a request is answered with ${status}: ${String(body)}`);
  if (!(content instanceof Object) || !('nextCursor' in content)) return content;
  return { ...content, nextCursor: typeof content.nextCursor };
}
