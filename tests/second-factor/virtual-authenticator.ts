import type { Page } from 'playwright-core';

/**
 * Chromium's own, which its owner touches whenever it is asked. `isOffered`: also when a page only offers
 * passkeys in a field, which then signs in at once; without it the browser is one that does not know such
 * offers.
 */
export async function plugInAuthenticator(page: Page, { isOffered = false } = {}): Promise<void> {
  if (!isOffered)
    await page.addInitScript('PublicKeyCredential.isConditionalMediationAvailable = async () => false;');
  const devTools = await page.context().newCDPSession(page);
  await devTools.send('WebAuthn.enable');
  await devTools.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2',
      transport: 'internal',
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  });
}
