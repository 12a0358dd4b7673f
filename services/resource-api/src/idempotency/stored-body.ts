import { AppError } from '#shared/errors/app-error.ts';
import { type NotesRenderer, notesRendererVersion } from '../notes/notes-renderer.ts';
import { compressJson, decompressJson, type StoredBody } from './idempotency-repository.ts';

/** Omits HTML that this release renders identically: it may be four times the notes. */
export function toStoredBody({
  answer,
  rendererVersion,
}: {
  answer: unknown;
  rendererVersion: number | undefined;
}): StoredBody {
  const isRenderedAgain = rendererVersion === notesRendererVersion && Boolean(Object(answer).descriptionHtml);
  if (!isRenderedAgain)
    return { compressedJson: compressJson(JSON.stringify(answer)), rendererVersion: null };
  // An emptied member keeps its position.
  const short = Object.assign({}, answer, { descriptionHtml: '' });
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
  const answer: { description: string } = JSON.parse(json);
  const { html, version } = await notes.render(accountId, answer.description);
  if (version !== notesRendererVersion) throw new AppError('service_unavailable');
  return JSON.stringify({ ...answer, descriptionHtml: html });
}
