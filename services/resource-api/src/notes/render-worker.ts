import { setPriority } from 'node:os';
import process from 'node:process';
import { parentPort } from 'node:worker_threads';
import { renderMarkdown } from './render-markdown.ts';
import type { WorkerMessage } from './render-thread.ts';

/** What a first rendering costs, loading and compiling, is paid before anybody waits for it. */
const warmUpNotes =
  '# Notes\n\nSome *text*, `code` and a [link](https://example.com).\n\n- [ ] task\n\n| a | b |\n|---|---|\n| 1 | 2 |\n';

letRequestsGoFirst();
await renderMarkdown(warmUpNotes);
parentPort?.on('message', async (markdown: string) => send(await tryRendering(markdown)));
send(undefined);

/** On Linux this is the priority of the calling thread alone. A sandbox may refuse it, and loses only that. */
function letRequestsGoFirst(): void {
  if (process.platform !== 'linux') return;
  try {
    setPriority(3);
  } catch {
    return;
  }
}

async function tryRendering(markdown: string): Promise<string | undefined> {
  try {
    return await renderMarkdown(markdown);
  } catch {
    return undefined;
  }
}

function send(html: string | undefined): void {
  const message: WorkerMessage = { html, cpuUsage: process.threadCpuUsage() };
  parentPort?.postMessage(message);
}
