// Runs before anything else in the reading page, and in a frame that leaves its document: counts what a
// hostile note would call.
globalThis.pwnedCalls = 0;
globalThis.pwned = () => {
  globalThis.top.pwnedCalls += 1;
};

const allowedAttributes = ['href', 'title', 'rel', 'align', 'start', 'type', 'checked', 'disabled'];
const allowedProtocols = ['http:', 'https:', 'mailto:'];
const events = [
  'mouseover',
  'mouseenter',
  'pointerenter',
  'focus',
  'focusin',
  'input',
  'change',
  'toggle',
  'click',
];

/** Used again by each batch: a frame takes far longer than a document in it. */
const frames = [];

/** Puts each rendering into the page and into a document of its own; resolves with what is wrong with it. */
globalThis.inspectRenderings = async (renderings) => {
  while (frames.length < renderings.length)
    frames.push(document.body.appendChild(document.createElement('iframe')));
  const faults = await Promise.all(renderings.map((html, index) => inspectRendering(html, frames[index])));
  for (const host of document.querySelectorAll('body > div')) host.remove();
  return faults.flat();
};

async function inspectRendering(html, frame) {
  const host = document.createElement('div');
  host.innerHTML = html;
  document.body.append(host);
  const loaded = new Promise((resolve) => frame.addEventListener('load', resolve, { once: true }));
  frame.contentDocument.open();
  frame.contentWindow.pwned = pwned;
  frame.contentDocument.write(
    `<!doctype html><html><head><title>Notes</title></head><body>${html}</body></html>`,
  );
  frame.contentDocument.close();
  await loaded;
  const elements = [...host.querySelectorAll('*'), ...frame.contentDocument.body.querySelectorAll('*')];
  const faults = elements.flatMap((element) => faultsOf(element));
  if (frame.contentDocument.head.children.length !== 1) faults.push('something got into the head');
  for (const element of elements) stir(element);
  await new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve)));
  return faults.map((fault) => ({ fault, html }));
}

function faultsOf(element) {
  const names = element.getAttributeNames();
  const faults = names.filter((name) => !allowedAttributes.includes(name)).map((name) => `attribute ${name}`);
  if (element.namespaceURI !== 'http://www.w3.org/1999/xhtml') faults.push(`foreign ${element.localName}`);
  if (element.localName.includes('-') || 'src' in element) {
    if (element.localName !== 'input') faults.push(`element ${element.localName}`);
  }
  if (element.localName === 'input' && (element.type !== 'checkbox' || !element.disabled))
    faults.push('input');
  if (element.hasAttribute('href')) faults.push(...linkFaults(element));
  return faults;
}

function linkFaults(link) {
  const faults = [];
  if (!(link instanceof link.ownerDocument.defaultView.HTMLAnchorElement)) faults.push('href on no link');
  if (!allowedProtocols.includes(link.protocol)) faults.push(`scheme ${link.protocol}`);
  if (link.rel !== 'noopener noreferrer nofollow') faults.push(`rel ${link.rel}`);
  return faults;
}

/** Does what a reader may do. Only the links that may be there are kept from leaving the page. */
function stir(element) {
  element.addEventListener('click', (event) => {
    const link = event.target.closest?.('a[href]');
    if (link && allowedProtocols.includes(link.protocol)) event.preventDefault();
  });
  for (const type of events) {
    element.dispatchEvent(new MouseEvent(type, { bubbles: true, cancelable: true }));
  }
  element.focus?.();
}
