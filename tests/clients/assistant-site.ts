import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';

export type AssistantSite = { origin: string; close(): Promise<void> };

/**
 * Serves the page of an app whose script holds the SDK of `sdkModule`. Its origin differs from ours by name and by
 * port, so that to a browser the two are not even the same site.
 */
export async function openAssistantSite(sdkModule: string): Promise<AssistantSite> {
  const script = await bundle(sdkModule);
  const server = createServer((req, res) => {
    const isScript = req.url === '/assistant.js';
    res.setHeader('Content-Type', isScript ? 'text/javascript' : 'text/html; charset=utf-8');
    res.end(
      isScript ? script : '<!doctype html><title>Assistant</title><script src="/assistant.js"></script>',
    );
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    origin: `http://localhost:${(server.address() as AddressInfo).port}`,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

async function bundle(sdkModule: string): Promise<string> {
  const { outputFiles } = await build({
    entryPoints: [fileURLToPath(new URL('./assistant-page.js', import.meta.url))],
    alias: { 'assistant-sdk': sdkModule },
    bundle: true,
    format: 'iife',
    platform: 'browser',
    write: false,
    logLevel: 'error',
  });
  return outputFiles.map(({ text }) => text).join('\n');
}
