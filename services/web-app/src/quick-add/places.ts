import { foldText } from '../words/fold-text.ts';
import type { Piece, Place } from './piece.ts';

type NamedSection = { id: string; title: string };
export type NamedProject = { id: string; title: string; sections: readonly NamedSection[] };
export type PlaceMatch = { place: Place; project: NamedProject; section: NamedSection | null };

const placePattern = /(?<=^|\s)#(?<name>[^\s#"]+)/gu;

/** `project/section`: exact names, else what begins with them, else a word that does. Spaces do not count. */
export function findPlaces(name: string, projects: readonly NamedProject[]): PlaceMatch[] {
  const [projectName = '', ...rest] = name.split('/');
  const found = namedLike(projectName, projects);
  if (rest.length === 0) return found.map((project) => placeMatch(project));
  return found.flatMap((project) =>
    namedLike(rest.join('/'), project.sections).map((section) => placeMatch(project, section)),
  );
}

export function placeMatch(project: NamedProject, section: NamedSection | null = null): PlaceMatch {
  return { place: { projectId: project.id, sectionId: section?.id ?? null }, project, section };
}

function namedLike<Named extends { title: string }>(name: string, all: readonly Named[]): Named[] {
  const wanted = withoutSpaces(name);
  const exact = all.filter(({ title }) => withoutSpaces(title) === wanted);
  if (exact.length > 0) return exact;
  const starting = all.filter(({ title }) => withoutSpaces(title).startsWith(wanted));
  if (starting.length > 0) return starting;
  return all.filter(({ title }) =>
    foldText(title)
      .split(/\s+/u)
      .some((word) => word.startsWith(wanted)),
  );
}

function withoutSpaces(text: string): string {
  return foldText(text).replaceAll(/\s/gu, '');
}

/** The places named in the text: by a picked or whole name, or by a unique prefix. */
export function readPlaces(
  text: string,
  projects: readonly NamedProject[],
  picked: ReadonlyMap<string, Place>,
): Piece[] {
  return [...text.matchAll(placePattern)].flatMap(({ index, groups }) => {
    const name = groups?.name ?? '';
    const { length, place } = wholeNameAt(text.slice(index + 1), projects, picked) ?? {
      length: name.length,
      place: picked.get(name) ?? onlyOne(findPlaces(name, projects)),
    };
    return place ? [{ kind: 'place', start: index, end: index + 1 + length, place }] : [];
  });
}

const onlyOne = ([first, other]: readonly PlaceMatch[]) => (other ? undefined : first?.place);

const longestName = 40;

/** «Website relaunch» in «Website relaunch tomorrow»: the most words that name a project or its section. */
function wholeNameAt(
  text: string,
  projects: readonly NamedProject[],
  picked: ReadonlyMap<string, Place>,
): { length: number; place: Place } | undefined {
  const words = [...text.matchAll(/\S+/gu)].slice(0, longestName);
  const names = words.map(({ 0: word, index }) => text.slice(0, index + word.length));
  for (const name of names.toReversed()) {
    const wanted = withoutSpaces(name);
    const found = findPlaces(name, projects).filter(
      ({ project: { title }, section }) =>
        withoutSpaces(section ? `${title}/${section.title}` : title) === wanted,
    );
    const place = picked.get(name) ?? onlyOne(found);
    if (place) return { length: name.length, place };
  }
  return undefined;
}

/** The name being typed at the caret, for completion, such as `#mov`. */
export function placeBeingTyped(text: string, caret: number): { name: string; start: number } | null {
  const [found] = /(?<=^|\s)#[^\s#"]*$/u.exec(text.slice(0, caret)) ?? [];
  return found ? { name: found.slice(1), start: caret - found.length } : null;
}
