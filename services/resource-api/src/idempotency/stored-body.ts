import { AppError } from '#shared/errors/app-error.ts';
import { type NotesRenderer, notesRendererVersion } from '../notes/notes-renderer.ts';
import { compressJson, decompressJson, type StoredBody } from './idempotency-repository.ts';

/** Body of a response; `rendererVersion`: of its descriptionHtml, if it has one. */
export type RenderedBody = { body: unknown; rendererVersion: number | undefined };

/** Omits HTML that this release renders identically: it may be four times the notes. */
export function toStoredBody({ body, rendererVersion }: RenderedBody): StoredBody {
  const isRenderedAgain = rendererVersion === notesRendererVersion && Boolean(Object(body).descriptionHtml);
  if (!isRenderedAgain) return { compressedJson: compressJson(JSON.stringify(body)), rendererVersion: null };
  // An emptied member keeps its position.
  const short = Object.assign({}, body, { descriptionHtml: '' });
  return { compressedJson: compressJson(JSON.stringify(short)), rendererVersion };
}

/**
 * Returns the JSON text of the first response, byte for byte, unless a later release renders notes
 * differently. Throws service_unavailable on a rendering timeout.
 */
export async function readStoredBody(
  { compressedJson, rendererVersion }: StoredBody,
  notes: Pick<NotesRenderer, 'render'>,
  accountId: string,
): Promise<string> {
  const json = decompressJson(compressedJson);
  if (rendererVersion === null) return json;
  const body: { description: string } = JSON.parse(json);
  const { html, version } = await notes.render(accountId, body.description);
  if (version !== notesRendererVersion) throw new AppError('service_unavailable');
  return JSON.stringify({ ...body, descriptionHtml: html });
}
