import type { CDPSession, Locator, Page } from 'playwright-core';
import { rowOf } from './page-steps.ts';

export const phone = {
  view: { width: 390, height: 844, colorScheme: 'light' },
  device: { hasTouch: true, isMobile: true },
} as const;

type Point = { x: number; y: number };

/** A finger on the screen, as the browser's own input takes it. */
export function fingerOf(session: CDPSession) {
  const send = (type: 'touchStart' | 'touchMove', touchPoints: Point[]) =>
    session.send('Input.dispatchTouchEvent', { type, touchPoints });
  return {
    down: (point: Point) => send('touchStart', [point]),
    /** From there to there, in steps as a finger makes them. */
    async slide({ x, y }: Point, right: number, down = 0) {
      for (let step = 1; step <= 8; step += 1)
        await send('touchMove', [{ x: x + (right * step) / 8, y: y + (down * step) / 8 }]);
    },
    /** It rests before it leaves, by what the event says: Chromium drops a tap that follows a throw. */
    up: () =>
      session.send('Input.dispatchTouchEvent', {
        type: 'touchEnd',
        touchPoints: [],
        timestamp: Date.now() / 1_000 + 0.2,
      }),
  };
}

export async function middleOf(page: Page, title: string): Promise<Point> {
  return middle(rowOf(page, title));
}

/** Where a finger takes it. */
export async function middle(element: Locator): Promise<Point> {
  const box = await element.boundingBox();
  if (box === null) throw new Error(`there is no ${element}`);
  return { x: box.x + box.width / 2, y: box.y + box.height / 2 };
}
