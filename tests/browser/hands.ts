import type { Locator, Page } from 'playwright-core';
import type { Look } from './looks.ts';

/** What a person does with a page: with a mouse, or with Tab, Space and Enter alone. */
export type Hands = {
  /** Writes over what is there. */
  write(field: Locator, text: string): Promise<void>;
  /** Ticks a box, or takes its tick away. */
  flip(box: Locator): Promise<void>;
  /** Presses a button, a link or what opens a fold. */
  press(control: Locator): Promise<void>;
};

const mostTabs = 100;

/** `faults`: takes note of a control whose focus can't be seen (WCAG 2.2 §2.4.7). */
export function handsOf(look: Look, page: Page, faults: string[]): Hands {
  return look.hands === 'mouse' ? mouse : keyboard(page, faults);
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
      await page.keyboard.press('Enter');
    },
  };
}
