import { useState } from 'preact/hooks';
import { Icon } from '../components/icon.tsx';
import { ProgressRing } from '../components/project-ring.tsx';
import type { Choice } from '../overlays/choices.tsx';
import { titledChoice } from '../overlays/titled-choice.tsx';
import { useStore } from '../store/store-context.ts';
import { foldText } from '../words/fold-text.ts';
import { newProjectChoice } from './new-project.ts';
import type { Place } from './piece.ts';
import { findPlaces, type NamedProject, type PlaceMatch, placeBeingTyped, placeMatch } from './places.ts';

const maximumChoices = 6;

type Projects = readonly (NamedProject & { area: string | null })[];

/** Projects and sections for the name that is being typed behind `#`; projects behind `#` alone. */
export function useCompletion(
  text: string,
  caret: number | null,
  projects: Projects,
  onPick: (name: string, place: Place) => void,
) {
  const store = useStore();
  const [closedFor, setClosedFor] = useState<string | null>(null);
  const typed = caret === null ? null : placeBeingTyped(text, caret);
  if (typed === null || typed.name === closedFor) {
    return { choices: [], first: -1, close: () => {} };
  }
  const { name } = typed;
  const named = findPlaces(name, projects);
  const found = named.length > 0 ? named : placesInArea(name, projects);
  const pick = (place: Place) => {
    setClosedFor(name);
    onPick(name, place);
  };
  const withSections = found.flatMap((match) =>
    match.section === null && name !== ''
      ? [match, ...match.project.sections.map((section) => placeMatch(match.project, section))]
      : [match],
  );
  const choices = withSections.slice(0, maximumChoices).map((match) => choiceOf(match, name, projects, pick));

  const isKnown = found.some(({ project }) => foldText(project.title) === foldText(name));
  if (!isKnown && name !== '' && !name.includes('/')) {
    const pickNew = (projectId: string) => pick({ projectId, sectionId: null });
    choices.push(newProjectChoice(store, name, projects.length, pickNew));
  }
  return {
    choices,
    isMore: withSections.length > maximumChoices,
    // An unknown name stays text unless the user picks a project explicitly.
    first: named.length === 0 || name === '' ? -1 : 0,
    /** The name matches only this one, picked or not. */
    isUnique: named.length === 1 && name !== '',
    close: () => setClosedFor(name),
  };
}

/** The projects of the area that is named. */
function placesInArea(name: string, projects: Projects): PlaceMatch[] {
  const inArea = projects.filter(({ area }) => foldText(area ?? '').startsWith(foldText(name)));
  return inArea.map((project) => placeMatch(project));
}

function choiceOf(match: PlaceMatch, name: string, projects: Projects, pick: (place: Place) => void): Choice {
  const { place, project, section } = match;
  const [projectName = '', sectionName = ''] = name.split('/');
  const area = projects.find(({ id }) => id === project.id)?.area;
  const shown =
    section === null
      ? { ...project, query: projectName, sign: <ProgressRing id={project.id} />, hint: area }
      : { ...section, query: sectionName, sign: <Icon name="list" />, hint: project.title };
  return titledChoice({ ...shown, pick: () => pick(place) });
}
