/** A kind of element, as `HTMLFormElement`. */
type Kind<Found extends Element> = abstract new () => Found;

export function make<Tag extends keyof HTMLElementTagNameMap>(
  tag: Tag,
  properties: Partial<HTMLElementTagNameMap[Tag]>,
): HTMLElementTagNameMap[Tag] {
  return Object.assign(document.createElement(tag), properties);
}

export function makeLink(href: string, textContent: string): HTMLAnchorElement {
  return make('a', { href, className: 'btn', textContent });
}

/** The elements of that kind that match, in the page or below an element. */
export function findAll<Found extends Element>(
  selector: string,
  kind: Kind<Found>,
  within: ParentNode = document,
): Found[] {
  return [...within.querySelectorAll(selector)].filter(
    (element): element is Found => element instanceof kind,
  );
}

/** The first of them. Throws where the page has none. */
export function findOne<Found extends Element>(
  selector: string,
  kind: Kind<Found>,
  within: ParentNode = document,
): Found {
  const [found] = findAll(selector, kind, within);
  if (found === undefined) throw new Error(`The page has no ${selector}`);
  return found;
}

/** Of a form, by name. Throws where it has none. */
export function fieldOf(form: HTMLFormElement, name: string): HTMLInputElement {
  const field = form.elements.namedItem(name);
  if (!(field instanceof HTMLInputElement)) throw new Error(`The form has no field ${name}`);
  return field;
}
