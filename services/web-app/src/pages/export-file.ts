import { chunksOf } from '../store/stream-lines.ts';
import { ask, describeFailure } from './data-requests.ts';
import { findOne, makeLink } from './elements.ts';

/** Browsers keep larger blobs on disk. */
const blobBytes = 8 * 1024 * 1024;
const newline = 10;

/** The file has a line for each record. */
export async function exportEverything(place: HTMLElement): Promise<void> {
  const bar = findOne('progress', HTMLProgressElement, place);
  const status = findOne('[role="status"]', HTMLElement, place);
  try {
    const response = await ask('/export');
    const total = Math.max(1, Number(response.headers.get('Record-Count')));
    let file = new Blob([]);
    let parts: BlobPart[] = [];
    let pending = 0;
    let records = 0;
    for await (const chunk of chunksOf(response)) {
      parts.push(chunk);
      pending += chunk.length;
      for (const byte of chunk) if (byte === newline) records += 1;
      bar.value = Math.min(1, records / total);
      if (pending > blobBytes) {
        file = new Blob([file, ...parts]);
        parts = [];
        pending = 0;
      }
    }
    const everything = new Blob([file, ...parts], { type: 'application/json' });
    const link = makeLink(URL.createObjectURL(everything), 'Save it again');
    link.download = nameIn(response) ?? 'tasks.json';
    place.append(link);
    link.click();
    bar.value = 1;
    status.textContent = 'The file is saved with your downloads.';
  } catch (error) {
    status.className = 'error';
    status.textContent = describeFailure(error);
    place.append(makeLink('/settings/data', 'Back to the export'));
  }
}

function nameIn({ headers }: Response): string | undefined {
  return /filename="([^"]+)"/.exec(headers.get('Content-Disposition') ?? '')?.[1];
}
