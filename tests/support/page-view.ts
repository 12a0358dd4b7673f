import { elementsNamed, findElements, type PageElement, parsePage, textOf } from './page-markup.ts';

type PageButton = { text: string; name: string | undefined; value: string };

export type PageForm = {
  action: string;
  method: string;
  /** The fields that the untouched form would send. */
  fields: readonly (readonly [name: string, value: string])[];
  /** All names of the form's fields, ticked or not. */
  names: ReadonlySet<string>;
  buttons: readonly PageButton[];
  text: string;
};

/** A response as a browser shows it. */
export type PageView = {
  status: number;
  headers: Headers;
  path: string;
  /** Target of a redirect. */
  location: string | null;
  markup: string;
  root: PageElement;
  title: string;
  heading: string;
  text: string;
  links: readonly { href: string; text: string }[];
  forms: readonly PageForm[];
  /** The first form with this action. Throws if there is none. */
  form(action: string): PageForm;
  /** CSRF token of that form. */
  csrfToken(action: string): string;
  /** The texts that the field's aria-describedby names. */
  description(fieldName: string): string;
  /** Names of the fields that are marked invalid. */
  invalidFields: readonly string[];
};

export function viewPage(path: string, status: number, headers: Headers, markup: string): PageView {
  const location = headers.get('location');
  const isPage = location === null && /^text\/html\b/.test(headers.get('content-type') ?? '');
  const root = isPage ? parsePage(markup) : { name: '', attributes: new Map(), children: [] };
  const forms = elementsNamed(root, 'form').map((form) => readForm(form, path));
  const fields = elementsNamed(root, ...fieldElements);
  const textsOf = (name: string): string => elementsNamed(root, name).map(textOf).join(' ');
  const formFor = (action: string): PageForm => {
    const form = forms.find((candidate) => candidate.action === action);
    if (form !== undefined) return form;
    throw new Error(`${path} has no form for ${action}, but for ${forms.map((each) => each.action)}`);
  };
  return {
    status,
    headers,
    path,
    location,
    markup,
    root,
    title: textsOf('title'),
    heading: textsOf('h1'),
    text: textsOf('body'),
    links: elementsNamed(root, 'a').map((link) => ({
      href: link.attributes.get('href') ?? '',
      text: textOf(link),
    })),
    forms,
    form: formFor,
    csrfToken: (action) => new Map(formFor(action).fields).get('csrf_token') ?? '',
    description(fieldName) {
      const field = fields.find(({ attributes }) => attributes.get('name') === fieldName);
      if (field === undefined) throw new Error(`${path} has no field ${fieldName}`);
      const ids = (field.attributes.get('aria-describedby') ?? '').split(' ');
      const texts = findElements(root, ({ attributes }) => ids.includes(attributes.get('id') ?? '\0'));
      return texts.map(textOf).join(' ');
    },
    invalidFields: fields
      .filter(({ attributes }) => attributes.get('aria-invalid') === 'true')
      .map(({ attributes }) => attributes.get('name') ?? ''),
  };
}

const fieldElements = ['input', 'select', 'textarea'];

function readForm(form: PageElement, path: string): PageForm {
  const fields = elementsNamed(form, ...fieldElements).filter(({ attributes }) => attributes.has('name'));
  return {
    action: form.attributes.get('action') ?? path,
    method: (form.attributes.get('method') ?? 'get').toUpperCase(),
    fields: fields.flatMap((field) =>
      valuesOf(field).map((value) => [field.attributes.get('name') ?? '', value] as const),
    ),
    names: new Set(fields.map(({ attributes }) => attributes.get('name') ?? '')),
    buttons: elementsNamed(form, 'button').map((button) => ({
      text: textOf(button),
      name: button.attributes.get('name'),
      value: button.attributes.get('value') ?? '',
    })),
    text: textOf(form),
  };
}

function valuesOf(field: PageElement): string[] {
  const { attributes } = field;
  if (field.name === 'textarea') return [textOf(field)];
  if (field.name === 'select') {
    const options = elementsNamed(field, 'option');
    const chosen = options.find((option) => option.attributes.has('selected')) ?? options[0];
    return chosen === undefined ? [] : [chosen.attributes.get('value') ?? textOf(chosen)];
  }
  const isBox = ['checkbox', 'radio'].includes(attributes.get('type') ?? '');
  if (isBox && !attributes.has('checked')) return [];
  return [attributes.get('value') ?? (isBox ? 'on' : '')];
}
