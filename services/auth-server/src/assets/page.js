// What script adds to pages that work without it.

/** Every `data-copy="#id"` gets a button that copies what the element with that id holds. */
function addCopyButton(place) {
  const source = document.querySelector(place.dataset.copy);
  if (source === null) return;
  const button = place.appendChild(document.createElement('button'));
  button.type = 'button';
  button.className = 'btn';
  button.textContent = 'Copy';
  button.addEventListener('click', async () => {
    button.textContent = (await copyText(source)) ? 'Copied' : 'Press Ctrl+C';
  });
  // Said aloud when it changes.
  button.setAttribute('aria-live', 'polite');
}

/** The clipboard is closed to pages without TLS: what is to be copied is selected then, for the keyboard. */
async function copyText(source) {
  try {
    await navigator.clipboard.writeText(source.value ?? source.textContent.trim());
    return true;
  } catch {
    getSelection()?.selectAllChildren(source);
    return false;
  }
}

/** A point in time in the zone of whoever reads it; as it was written, it stays in the title. */
function showInOwnZone(time) {
  const instant = new Date(time.dateTime);
  if (!time.dateTime.includes('T') || Number.isNaN(instant.getTime())) return;
  time.title = time.textContent.trim();
  time.textContent = instant.toLocaleString('en-GB', { dateStyle: 'medium', timeStyle: 'short' });
}

/** Chooses the browser's own time zone where nobody has chosen one; the browser may know it by its former name. */
function chooseOwnTimeZone(select) {
  const { timeZone } = Intl.DateTimeFormat().resolvedOptions();
  const own = [...select.options].find(({ value, dataset }) =>
    [value, dataset.formerName].includes(timeZone),
  );
  if (own !== undefined) own.selected = true;
}

/** An app of the device takes the answer without the page being left; its form would send nothing a second time. */
function sayWhenAnswered(form) {
  form.addEventListener('submit', () => {
    setTimeout(() => {
      const done = document.createElement('p');
      done.className = 'notice';
      done.role = 'status';
      done.textContent = 'Your answer is on its way to the app. You can close this window.';
      form.replaceWith(done);
    }, 1_000);
  });
}

const signOuts = new BroadcastChannel('sign-outs');

/** Who signs out in one window has signed out in all, whether or not the server can be reached. */
function tellOtherWindows(form) {
  form.addEventListener('submit', () => signOuts.postMessage(undefined));
}

function stopShowingAccount() {
  const done = document.createElement('p');
  done.className = 'notice';
  done.role = 'status';
  done.textContent = 'You have signed out in another window. Load this page again to go on.';
  for (const part of document.querySelectorAll('.user, .tabs')) part.remove();
  document.querySelector('main').replaceChildren(done);
}

document.querySelectorAll('[data-copy]').forEach(addCopyButton);
document.querySelectorAll('time[datetime]').forEach(showInOwnZone);
document.querySelectorAll('select[data-own-time-zone]').forEach(chooseOwnTimeZone);
document.querySelectorAll('form[data-answers-app]').forEach(sayWhenAnswered);
document.querySelectorAll('form[action="/sign-out"]').forEach(tellOtherWindows);
if (document.querySelector('[data-signed-in]') !== null)
  signOuts.addEventListener('message', stopShowingAccount);
