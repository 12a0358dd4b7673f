import { copyFileSync, linkSync, mkdirSync, readdirSync, statSync } from 'node:fs';
import path from 'node:path';

/**
 * Copies a file or a folder, by links where the file system allows it: thousands of files in a moment. A link may be
 * removed but must not be written to. `skips`: names of folders that are left out.
 */
export function linkTree(from: string, to: string, skips: readonly string[] = []): void {
  if (statSync(from).isFile()) {
    mkdirSync(path.dirname(to), { recursive: true });
    linkFile(from, to);
    return;
  }
  mkdirSync(to, { recursive: true });
  for (const entry of readdirSync(from, { withFileTypes: true })) {
    const [source, copy] = [path.join(from, entry.name), path.join(to, entry.name)];
    if (entry.isDirectory() && !skips.includes(entry.name)) linkTree(source, copy, skips);
    else if (entry.isFile()) linkFile(source, copy);
  }
}

function linkFile(from: string, to: string): void {
  try {
    linkSync(from, to);
  } catch {
    copyFileSync(from, to);
  }
}
