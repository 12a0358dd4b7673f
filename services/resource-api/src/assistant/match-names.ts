import { isSameName, partsOfName } from '../text-search.ts';
import type { Named } from './list-names.ts';

/** A name that matches nothing, or several things. */
export class NameError extends Error {
  readonly candidates: readonly Named[];
  /** Names the number of further candidates and the tool that lists them; empty if there are none. */
  readonly rest: string;

  /** Without candidates that the call changes. */
  readonly without: (ids: readonly string[]) => NameError;

  constructor(message: string, all: readonly Named[], kind = '') {
    super(message);
    this.name = 'NameError';
    this.candidates = all.slice(0, closeNames);
    const left = all.length - closeNames;
    this.rest = left > 0 ? `and ${left} more: ${listingTools[kind] ?? 'use an id'}` : '';
    const others = (ids: readonly string[]) => all.filter(({ id }) => !ids.includes(id));
    this.without = (ids) => new NameError(message, others(ids), kind);
  }
}

const closeNames = 10;
const listingTools: Readonly<Record<string, string>> = {
  project: 'list_projects lists all',
  'project in the Trash': 'list_projects with status=trashed lists all',
  area: 'list_projects lists all',
  section: 'get_project lists all',
  step: 'get_task lists all',
};

type Find = (kind: string, wanted: string, all: readonly Named[]) => Named | undefined;

/** Returns the item with that name, or undefined. Throws NameError for several. */
export const findSame: Find = (kind, wanted, all) => {
  const [found, ...others] = all.filter(({ title }) => isSameName(title, wanted));
  if (found === undefined || others.length === 0) return found;
  throw ambiguous(kind, `«${wanted}» is the name of`, [found, ...others]);
};

/** Returns the only item whose name contains all words (or words starting with them) and signs. */
export const findByPart: Find = (kind, wanted, all) => {
  const [found, ...others] = all.filter(({ title }) => hasParts(title, wanted));
  if (found === undefined || others.length === 0) return found;
  throw ambiguous(kind, `«${wanted}» is part of the name of`, [found, ...others]);
};

export const matchName: Find = (...input) => findSame(...input) ?? findByPart(...input);

function ambiguous(kind: string, what: string, candidates: readonly Named[]): NameError {
  return new NameError(`${what} several ${kind}s: use the id of one.`, candidates, kind);
}

/** Signs are compared only if the wanted name has any: «C++» is not «C#». */
export function hasParts(title: string, wanted: string): boolean {
  const [{ words, parted, signs }, parts] = [partsOfName(title), partsOfName(wanted)];
  return (
    parts.words.length + parts.signs.length > 0 &&
    parts.words.every((part) => [...words, ...parted].some((word) => word.startsWith(part))) &&
    parts.signs.every((part) => signs.some((sign) => sign.includes(part)))
  );
}

/**
 * The candidates share a word with the name, or else are all. `instead`: items of another kind with that
 * name.
 */
export function nameNotFound(kind: string, wanted: string, all: readonly Named[], instead = ''): NameError {
  const parts = partsOfName(wanted).words;
  const close = all.filter(({ title }) =>
    partsOfName(title).words.some((word) =>
      parts.some((part) => part.startsWith(word) || word.startsWith(part)),
    ),
  );
  return new NameError(
    `There is no ${kind} called «${wanted}»${instead}.`,
    close.length > 0 ? close : all,
    kind,
  );
}

/** Tools that delete or trash require the whole name: a part may match another item. */
export function wholeNameNeeded(kind: string, wanted: string, all: readonly Named[]): NameError {
  return nameNotFound(kind, wanted, all, ': to remove it, give its whole name or its id');
}
