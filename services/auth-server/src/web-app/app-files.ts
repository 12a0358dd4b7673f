import { readFile } from 'node:fs/promises';
import path from 'node:path';
import type { Request } from 'express';
import { codeOf } from '#shared/errors/error-code.ts';

type AppFile = { content: Buffer; encoding: 'br' | 'gzip' | undefined };

/** Compressed at build, the smaller one first. */
const encodings = [
  { encoding: 'br', extension: '.br' },
  { encoding: 'gzip', extension: '.gz' },
] as const;

/**
 * The file in the smallest encoding that the client accepts; undefined when the build has no such file. Read
 * for each request: browsers and the app's service worker keep what they have, and a new build is served at
 * once.
 */
export async function readAppFile(
  directory: string,
  name: string,
  req: Pick<Request, 'acceptsEncodings'>,
): Promise<AppFile | undefined> {
  for (const { encoding, extension } of encodings) {
    if (!req.acceptsEncodings(encoding)) continue;
    const content = await readIfThere(path.join(directory, `${name}${extension}`));
    if (content !== undefined) return { content, encoding };
  }
  const content = await readIfThere(path.join(directory, name));
  return content && { content, encoding: undefined };
}

async function readIfThere(file: string): Promise<Buffer | undefined> {
  try {
    return await readFile(file);
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return undefined;
    throw error;
  }
}
