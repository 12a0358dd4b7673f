import type { ImportCounts, ImportLine, OpenedImport } from '#shared/app/import-protocol.ts';
import { linesOf } from '../store/stream-lines.ts';
import { describeFailure, post } from './data-requests.ts';
import { fieldOf, findOne, makeLink } from './elements.ts';

type ShowProgress = (share: number, words: string) => void;

export function offerImport(form: HTMLFormElement): void {
  const bar = findOne('progress', HTMLProgressElement, form);
  const status = findOne('[role="status"]', HTMLElement, form);
  const error = findOne('.error', HTMLElement, form);
  const button = findOne('button', HTMLButtonElement, form);
  const input = fieldOf(form, 'file');
  const show: ShowProgress = (share, words) => {
    bar.value = share;
    status.textContent = words;
  };
  const fail = (words: string): void => {
    error.hidden = words === '';
    error.textContent = words;
    input.setAttribute('aria-invalid', String(words !== ''));
  };
  form.addEventListener('submit', async (event) => {
    event.preventDefault();
    const [file] = input.files ?? [];
    if (file === undefined) return;
    fail('');
    bar.hidden = status.hidden = false;
    button.disabled = true;
    window.addEventListener('beforeunload', askToStay);
    try {
      const { tasks, projects, areas } = await importFile(file, show);
      const parts = [count(tasks, 'task'), count(projects, 'project'), count(areas, 'area')];
      show(1, `Imported: ${parts.join(', ')}.`);
      const link = makeLink('/app/', 'Go to your tasks');
      button.replaceWith(link);
      link.focus();
    } catch (failure) {
      bar.hidden = status.hidden = true;
      fail(describeFailure(failure));
      button.disabled = false;
      input.focus();
    } finally {
      window.removeEventListener('beforeunload', askToStay);
    }
  });
}

/** The import ends with its page. */
const askToStay = (event: Event): void => event.preventDefault();

/** The first half of the bar is the upload, the second the import. */
async function importFile(file: File, show: ShowProgress): Promise<ImportCounts> {
  const { id, partBytes }: OpenedImport = await (await post('/imports')).json();
  for (let number = 0; number * partBytes < file.size; number += 1) {
    show((number * partBytes) / file.size / 2, 'The file is being sent.');
    const part = file.slice(number * partBytes, (number + 1) * partBytes);
    await post(`/imports/${id}/parts`, { number, content: await base64Of(part) });
  }
  show(0.5, 'The file is being read.');
  let last: ImportLine | undefined;
  for await (const line of linesOf(await post(`/imports/${id}/run`))) {
    const read: ImportLine = JSON.parse(line);
    if (read.phase === 'checking') show(0.6, `${read.rows.toLocaleString('en')} entries are checked.`);
    if (read.phase === 'storing') show(0.8, `${read.rows.toLocaleString('en')} entries are stored.`);
    last = read;
  }
  if (last?.phase === 'done') return last.counts;
  const reason = last?.phase === 'refused' ? last.problem.message : undefined;
  throw new Error(reason ?? 'The import was interrupted. Nothing is stored; try again.');
}

async function base64Of(part: Blob): Promise<string> {
  const bytes = new Uint8Array(await part.arrayBuffer());
  let text = '';
  for (let start = 0; start < bytes.length; start += 32_768)
    text += String.fromCharCode(...bytes.subarray(start, start + 32_768));
  return btoa(text);
}

function count(number: number, thing: string): string {
  return `${number.toLocaleString('en')} ${thing}${number === 1 ? '' : 's'}`;
}
