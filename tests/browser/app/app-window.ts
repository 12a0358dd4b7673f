import assert from 'node:assert/strict';
import type { ExecutionContext, TestFn } from 'ava';
import type { Browser, BrowserContextOptions } from 'playwright-core';
import { newPerson, type Person } from '#tests/pages/visitors.ts';
import type { ApiClient } from '#tests/support/api-client.ts';
import { launchChromium } from '#tests/support/chromium.ts';
import { createPageBrowser } from '#tests/support/page-browser.ts';
import { addCookies, openWindow, type ShownPage, type View } from '#tests/support/shown-page.ts';
import { type Stack, startStack } from '#tests/support/stack.ts';
import type { AccountOptions } from '#tests/support/test-accounts.ts';

export type AppWindow = ShownPage & {
  person: Person;
  /** A script of the same account, with a token called «Nightly script». */
  script: ApiClient;
  /** Opens a screen of the app and waits until its rows are there. */
  visit(path: string): Promise<void>;
};

type AppOptions = AccountOptions & {
  view?: Omit<View, 'name'>;
  device?: BrowserContextOptions;
  /** Those that the test is about. */
  faults?: RegExp;
};

/** One browser and the services for all tests of a file. */
export async function startApp(test: TestFn) {
  const browser = await launchChromium();
  const stack = await startStack(test, { withAuthServer: true });
  test.after.always(() => browser.close());
  return {
    browser,
    stack,
    openApp: (t: ExecutionContext, options?: AppOptions) => openApp(t, browser, stack, options),
  };
}

/** A new user, signed in, in a fresh browser. The test fails if its pages do what they must not do. */
async function openApp(
  t: ExecutionContext,
  browser: Browser,
  stack: Stack,
  { view, device, faults, ...options }: AppOptions = {},
): Promise<AppWindow> {
  const person = await newPerson(stack, options);
  const visitor = createPageBrowser(stack.baseUrl);
  t.is((await visitor.signIn(person)).status, 303);
  const shown = await openWindow(t, browser, view, device);
  t.teardown(() => {
    assert.deepEqual(
      shown.faults.filter((fault) => !faults?.test(fault)),
      [],
    );
  });
  await addCookies(shown.context, stack.baseUrl, visitor.cookies.header('/'));
  const script = stack.client(await stack.createToken(person, { name: 'Nightly script' }));
  return {
    ...shown,
    person,
    script,
    async visit(path) {
      await shown.page.goto(stack.baseUrl + path);
      // On phones an open task takes the place of its list.
      await shown.page.locator('h1:visible, .detail:visible').first().waitFor();
    },
  };
}
