import type { Locator, Page } from 'playwright-core';
import { accessibilityFaults, animationsEnd } from '#tests/support/shown-page.ts';
import { waitFor } from '#tests/support/wait-for.ts';

export async function visitReference(page: Page, url: string): Promise<void> {
  await page.goto(url);
  await page.getByRole('heading', { level: 1, name: 'Task Management API' }).waitFor();
  await page.locator('#visitor', { hasText: 'account' }).waitFor();
}

/** The part of the page about one operation, brought into view through the search. */
export async function findOperation(page: Page, summary: string): Promise<Locator> {
  const search = page.getByRole('dialog');
  const field = search.getByRole('combobox');
  const found = search.getByRole('option', { name: summary }).first();
  const isShown = (locator: Locator) =>
    locator.waitFor({ timeout: 3_000 }).then(
      () => true,
      () => false,
    );
  await waitFor(
    async () => {
      // A key that is pressed before the page has drawn itself does nothing.
      if (!(await field.isVisible())) await page.keyboard.press('Control+k');
      if (!(await isShown(field))) return false;
      // What is typed before it has indexed the document finds nothing.
      await field.fill('');
      await field.fill(summary);
      return isShown(found);
    },
    { timeoutMilliseconds: 100_000, what: `«${summary}» in the search` },
  );
  await found.click();
  const heading = page.getByRole('heading', { name: summary, exact: true });
  await heading.waitFor();
  return page.getByRole('region', { name: summary, exact: true });
}

/** Opens the form of an operation's request, which it sends as it stands. */
export async function openForm(page: Page, summary: string): Promise<Locator> {
  const operation = await findOperation(page, summary);
  await operation.getByRole('button', { name: /Test Request/ }).click();
  const form = page.getByRole('dialog');
  await form
    .getByRole('button', { name: /^Send\b/ })
    .first()
    .waitFor();
  return form;
}

export async function closeForm(page: Page): Promise<void> {
  const form = page.getByRole('dialog');
  await form.getByRole('button', { name: 'Close Client' }).click();
  // It fades out.
  await form.waitFor({ state: 'hidden' });
}

/** Sends it and waits for a response of this status. */
export async function send(form: Locator, status: string): Promise<void> {
  await form
    .getByRole('button', { name: /^Send\b/ })
    .first()
    .click();
  await form.getByText(status, { exact: true }).waitFor();
}

/** All that the page could leave behind in the browser. */
export function keptByBrowser(page: Page): Promise<string> {
  return page.evaluate('JSON.stringify([{ ...localStorage }, { ...sessionStorage }, document.cookie])');
}

/** What axe finds in Scalar's own elements, which no setting of it changes: the rule and a part of the element. */
const faultsOfScalar: readonly [string, string][] = [
  // Copying is offered by an icon alone.
  ['button-name', 'copy-button'],
  ['aria-valid-attr-value', 'copy-button'],
  // The response cards of all operations, and the toasts of page and form, have one name each.
  ['landmark-unique', 'Example Responses'],
  ['landmark-unique', 'Notifications'],
  // The list of a tag's operations scrolls, and has nothing to focus.
  ['scrollable-region-focusable', 'class="endpoints"'],
  // The form is a page within the page.
  ['landmark-no-duplicate-main', 'references-rendered'],
  // Its button beside each parameter is said to be none.
  ['aria-allowed-role', 'More Information'],
  ['aria-prohibited-attr', 'More Information'],
  ['presentation-role-conflict', 'More Information'],
  // Its editors of bodies and of parameters.
  ['aria-input-field-name', 'cm-content'],
  ['aria-required-attr', 'code-input-lite__editor'],
];

/** What axe finds in the page, contrast of every text included, but for what Scalar alone could change. */
export async function ownAccessibilityFaults(page: Page): Promise<string[]> {
  await animationsEnd(page);
  const faults = await accessibilityFaults(page);
  return faults.filter(
    (fault) => !faultsOfScalar.some(([rule, part]) => fault.startsWith(`${rule}:`) && fault.includes(part)),
  );
}
