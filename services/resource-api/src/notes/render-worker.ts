import { setPriority } from 'node:os';
import { parentPort } from 'node:worker_threads';
import { escapedParagraph } from './plain-text.ts';
import type { Sanitiser } from './render-markdown.ts';
import type { Rendered, WorkerMessage } from './render-thread.ts';

/** What a first rendering costs, loading and compiling, is paid before anybody waits for it. */
const warmUpNotes =
  '# Notes\n\nSome *text*, `code` and a [link](https://example.com).\n\n- [ ] task\n\n| a | b |\n|---|---|\n| 1 | 2 |\n';

let sanitiser: Promise<Sanitiser> | undefined;

letRequestsGoFirst();
// Only now: what is imported at the top is loaded before the first line runs.
const { loadSanitiser, renderMarkdown } = await import('./render-markdown.ts');
await renderMarkdown(warmUpNotes);
parentPort?.on('message', async (markdown: string) => {
  const rendering = await renderWithinLimits(markdown);
  send({ state: 'rendered', rendering, cpuUsage: process.threadCpuUsage() });
});
sendReady();

/** On Linux this is the priority of the calling thread alone. A sandbox may refuse it, and loses only that. */
function letRequestsGoFirst(): void {
  if (process.platform !== 'linux') return;
  try {
    setPriority(3);
  } catch {
    return;
  }
}

/** What asks for too much is long: escaping it would keep requests waiting elsewhere. */
async function renderWithinLimits(markdown: string): Promise<Rendered> {
  try {
    return { html: await renderMarkdown(markdown, loadSanitiserOnce) };
  } catch {
    return { html: escapedParagraph(markdown), failure: 'too_demanding' };
  }
}

/** Not at the cost of the notes that happen to need it first. */
function loadSanitiserOnce(): Promise<Sanitiser> {
  sanitiser ??= loadUncounted();
  return sanitiser;
}

async function loadUncounted(): Promise<Sanitiser> {
  send({ state: 'loading' });
  const loaded = await loadSanitiser();
  sendReady();
  return loaded;
}

function sendReady(): void {
  send({ state: 'ready', cpuUsage: process.threadCpuUsage() });
}

function send(message: WorkerMessage): void {
  parentPort?.postMessage(message);
}
