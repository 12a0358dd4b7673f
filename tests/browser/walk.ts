import type { ExecutionContext } from 'ava';
import type { Browser, Locator, Page } from 'playwright-core';
import { openWindow, sidewaysPixels, type View } from '#tests/support/shown-page.ts';
import { takePicture } from '#tests/support/take-picture.ts';

export type Walk = Hands & {
  page: Page;
  /** Whatever should not happen on the way: also answers that refuse, and pages that are too wide. */
  faults: string[];
  /** Opens an address. */
  open(url: string): Promise<void>;
  /** Waits for the page with that heading and looks at it; `picture` names it, and its picture. */
  see(heading: string | RegExp, picture: string): Promise<void>;
};

type WalkOptions = {
  /** Starts the name of each picture. */
  name: string;
  look: Look;
  /** Where requests may go. */
  origins: readonly string[];
};

/** A browser of its own for one test. */
export async function startWalk(
  t: ExecutionContext,
  browser: Browser,
  { name, look, origins }: WalkOptions,
): Promise<Walk> {
  const { page, context, faults } = await openWindow(t, browser, look, {
    origins,
    javaScriptEnabled: look.hasScript,
    locale: 'en-GB',
    timezoneId: 'Europe/Berlin',
    permissions: ['clipboard-read', 'clipboard-write'],
  });
  context.on('response', (response) => {
    if (response.status() >= 400) faults.push(`${response.status()} ${new URL(response.url()).pathname}`);
  });

  let pictures = 0;
  return {
    ...handsOf(look, page, faults),
    page,
    faults,
    async open(url) {
      await page.goto(url);
    },
    async see(heading, picture) {
      await page.getByRole('heading', { level: 1, name: heading }).waitFor();
      await page.waitForLoadState('load');
      pictures += 1;
      await takePicture(page, `walks/${name}-${String(pictures).padStart(2, '0')}-${picture}-${look.name}`);
      const sideways = await sidewaysPixels(page);
      if (sideways > 0) faults.push(`${picture} is ${sideways} pixels wider than the screen`);
    },
  };
}

/** What a person does with a page: with a mouse, or with Tab, Space and Enter alone. */
type Hands = {
  /** Writes over what is there. */
  write(field: Locator, text: string): Promise<void>;
  /** Ticks a box, or takes its tick away. */
  flip(box: Locator): Promise<void>;
  /** Presses a button, a link or what opens a fold. */
  press(control: Locator): Promise<void>;
};

const mostTabs = 100;

/** `faults`: takes note of a control whose focus can't be seen (WCAG 2.2 §2.4.7). */
export function handsOf({ hands }: Pick<Look, 'hands'>, page: Page, faults: string[]): Hands {
  return hands === 'mouse' ? mouse : keyboard(page, faults);
}

const mouse: Hands = {
  write: (field, text) => field.fill(text),
  flip: (box) => box.click(),
  press: (control) => control.click(),
};

function keyboard(page: Page, faults: string[]): Hands {
  async function reach(control: Locator): Promise<void> {
    await control.waitFor();
    for (let tabs = 0; tabs < mostTabs; tabs += 1) {
      if (await control.evaluate((element) => element === element.ownerDocument.activeElement)) {
        const outline = await page.evaluate('getComputedStyle(document.activeElement).outlineStyle');
        if (outline === 'none') faults.push(`the focus of ${control} can’t be seen`);
        return;
      }
      await page.keyboard.press('Tab');
    }
    throw new Error(`Tab does not reach ${control}`);
  }

  return {
    async write(field, text) {
      await reach(field);
      await page.keyboard.press('ControlOrMeta+A');
      await page.keyboard.type(text);
    },
    async flip(box) {
      await reach(box);
      await page.keyboard.press('Space');
    },
    async press(control) {
      await reach(control);
      await control.and(page.locator(':not([aria-disabled="true"])')).waitFor();
      await page.keyboard.press('Enter');
    },
  };
}

/** How a walk is taken: on what screen, with what hands. */
export type Look = View & { hasScript: boolean; hands: 'mouse' | 'keyboard' };

const desktop = { width: 1280, height: 800, hasScript: true, hands: 'mouse' } as const;
const phone = { ...desktop, width: 390, height: 844 } as const;

export const onDesktop: Look = {
  ...desktop,
  name: 'desktop-light-keyboard',
  colorScheme: 'light',
  hands: 'keyboard',
};
export const withoutScript: Look = {
  ...phone,
  name: 'phone-dark-without-script',
  colorScheme: 'dark',
  hasScript: false,
};

/** Each screen, scheme and way of use once: two walks show what sixteen would. */
export const looks: readonly Look[] = [onDesktop, withoutScript];
