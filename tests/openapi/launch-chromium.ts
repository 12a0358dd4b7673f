import { existsSync } from 'node:fs';
import packaged from '@sparticuz/chromium';
import { type Browser, chromium } from 'playwright-core';

const installed = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'];

/** The machine's own Chromium, else the one that comes as a package. */
export async function launchChromium(): Promise<Browser> {
  const executablePath = installed.find(existsSync) ?? (await packaged.executablePath());
  // Its own sandbox can't be set up by root or inside most containers; the pages are ours.
  return chromium.launch({ executablePath, args: ['--no-sandbox'] });
}
