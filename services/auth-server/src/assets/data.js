// Settings → Data: everything in the account goes to a file, and a file into an empty account.

const api = '/app/api/v1';
const refreshMilliseconds = 4 * 60_000;
/** Browsers keep larger blobs on disk. */
const blobBytes = 8 * 1024 * 1024;
const newline = 10;

let access = { token: '', since: Number.NEGATIVE_INFINITY };

async function accessToken() {
  if (performance.now() - access.since < refreshMilliseconds) return access.token;
  const response = await fetch('/app/session/token', {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: '{}',
  });
  if (!response.ok) throw await failureOf(response);
  access = { token: (await response.json()).accessToken, since: performance.now() };
  return access.token;
}

/** Throws an Error whose message is for people. */
async function ask(path, options = {}) {
  const headers = { Authorization: `Bearer ${await accessToken()}`, ...options.headers };
  const response = await fetch(api + path, { ...options, headers });
  if (!response.ok) throw await failureOf(response);
  return response;
}

const post = (path, body) =>
  ask(path, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify(body),
  });

async function failureOf(response) {
  const problem = await response.json().catch(() => undefined);
  return new Error(problem?.message ?? 'The service did not respond. Try again.');
}

/** fetch itself fails with a TypeError that says nothing to people. */
const describe = (error) =>
  error instanceof TypeError ? 'The connection was lost. Try again.' : error.message;

async function* chunksOf({ body }) {
  const reader = body.getReader();
  for (let read = await reader.read(); !read.done; read = await reader.read()) yield read.value;
}

function makeLink(href, text) {
  const link = document.createElement('a');
  link.href = href;
  link.className = 'btn';
  link.textContent = text;
  return link;
}

async function exportEverything(place) {
  const bar = place.querySelector('progress');
  const status = place.querySelector('[role="status"]');
  try {
    const response = await ask('/export');
    const total = Math.max(1, Number(response.headers.get('Record-Count')));
    let file = new Blob([]);
    let parts = [];
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
    const name = /filename="([^"]+)"/.exec(response.headers.get('Content-Disposition') ?? '')?.[1];
    const everything = new Blob([file, ...parts], { type: 'application/json' });
    const link = makeLink(URL.createObjectURL(everything), 'Save it again');
    link.download = name ?? 'tasks.json';
    place.append(link);
    link.click();
    bar.value = 1;
    status.textContent = 'The file is saved with your downloads.';
  } catch (error) {
    status.className = 'error';
    status.textContent = describe(error);
    place.append(makeLink('/settings/data', 'Back to the export'));
  }
}

async function base64Of(part) {
  const bytes = new Uint8Array(await part.arrayBuffer());
  let text = '';
  for (let start = 0; start < bytes.length; start += 32_768)
    text += String.fromCharCode(...bytes.subarray(start, start + 32_768));
  return btoa(text);
}

/** Half of the bar is the upload, half what the service does with it. */
async function importFile(file, show) {
  const { id, partBytes } = await (await post('/imports')).json();
  for (let number = 0; number * partBytes < file.size; number += 1) {
    show((number * partBytes) / file.size / 2, 'The file is being sent.');
    const part = file.slice(number * partBytes, (number + 1) * partBytes);
    await post(`/imports/${id}/parts`, { number, content: await base64Of(part) });
  }
  show(0.5, 'The file is being read.');
  const response = await post(`/imports/${id}/run`);
  let text = '';
  let last;
  const decoder = new TextDecoder();
  for await (const chunk of chunksOf(response)) {
    text += decoder.decode(chunk, { stream: true });
    const lines = text.split('\n');
    text = lines.pop();
    for (const line of lines) last = JSON.parse(line);
    if (last?.phase === 'checking') show(0.6, `${last.rows.toLocaleString('en')} entries are checked.`);
    if (last?.phase === 'storing') show(0.8, `${last.rows.toLocaleString('en')} entries are stored.`);
  }
  if (last?.phase === 'done') return last.counts;
  throw new Error(last?.problem?.message ?? 'The import was interrupted. Nothing is stored; try again.');
}

const count = (number, thing) => `${number.toLocaleString('en')} ${thing}${number === 1 ? '' : 's'}`;

function makeImport(form) {
  const [bar, status] = [form.querySelector('progress'), form.querySelector('[role="status"]')];
  const [error, button] = [form.querySelector('.error'), form.querySelector('button')];
  const input = form.elements.file;
  const show = (share, words) => {
    bar.value = share;
    status.textContent = words;
  };
  const fail = (words) => {
    error.hidden = words === '';
    error.textContent = words;
    input.setAttribute('aria-invalid', String(words !== ''));
  };
  form.addEventListener('submit', async (event) => {
    event.preventDefault();
    fail('');
    bar.hidden = status.hidden = false;
    button.disabled = true;
    try {
      const { tasks, projects, areas } = await importFile(input.files[0], show);
      const parts = [count(tasks, 'task'), count(projects, 'project'), count(areas, 'area')];
      show(1, `Imported: ${parts.join(', ')}.`);
      const link = makeLink('/app/', 'Go to your tasks');
      button.replaceWith(link);
      link.focus();
    } catch (failure) {
      bar.hidden = status.hidden = true;
      fail(describe(failure));
      button.disabled = false;
      input.focus();
    }
  });
}

document.querySelectorAll('[data-export]').forEach(exportEverything);
document.querySelectorAll('[data-import]').forEach(makeImport);
