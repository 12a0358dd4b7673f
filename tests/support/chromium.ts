import { existsSync, mkdirSync } from 'node:fs';
import process from 'node:process';
import { fileURLToPath } from 'node:url';
import { type Browser, chromium } from 'playwright-core';

/** Headless shell first: it needs half the processor time for the same pages. */
const systemBrowsers = ['/usr/bin/chromium-headless-shell', '/usr/bin/chromium', '/usr/bin/google-chrome'];
/** Where the packaged browser unpacks itself: a folder of the project that git ignores. */
const unpackFolder = fileURLToPath(new URL('../../test-output/chromium', import.meta.url));

/**
 * Starts a headless Chromium: the one CHROMIUM_PATH names, one the system has, or the one npm brought.
 * The caller closes it.
 */
export async function launchChromium(): Promise<Browser> {
  const isRoot = process.getuid?.() === 0;
  return chromium.launch({
    executablePath: process.env.CHROMIUM_PATH ?? systemBrowsers.find(existsSync) ?? (await packagedBrowser()),
    args: [
      ...(isRoot ? ['--no-sandbox'] : []),
      '--disable-gpu',
      '--disable-quic',
      '--no-first-run',
      '--disable-background-networking',
      '--disable-component-update',
      '--disable-sync',
    ],
  });
}

async function packagedBrowser(): Promise<string> {
  mkdirSync(unpackFolder, { recursive: true });
  process.env.TMPDIR = unpackFolder;
  // Makes the package bring its own NSS libraries too, which a bare machine lacks.
  process.env.AWS_LAMBDA_JS_RUNTIME = 'nodejs22.x';
  const { default: packaged } = await import('@sparticuz/chromium');
  return packaged.executablePath();
}
