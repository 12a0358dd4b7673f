import { useComputed } from '@preact/signals';
import { useState } from 'preact/hooks';
import { Icon } from '../components/icon.tsx';
import { ProgressRing } from '../components/project-ring.tsx';
import { type Choice, Marked } from '../overlays/choices.tsx';
import { closeOverlay } from '../overlays/overlay.ts';
import { type LabelledChoice, titledChoice } from '../overlays/titled-choice.tsx';
import { namedProjects } from '../quick-add/named-projects.ts';
import { newProjectChoice } from '../quick-add/new-project.ts';
import { useStore } from '../store/store-context.ts';
import type { Destination } from '../store/task-drafts.ts';
import { foldText } from '../words/fold-text.ts';
import { pickerWords as words } from '../words/picker-words.ts';
import { screenWords } from '../words/screen-words.ts';
import { PickerDialog } from './picker-dialog.tsx';
import { useTargets } from './use-targets.ts';

type ListChoice = LabelledChoice & { title: string };

/** Who has more lists types a part of the name. */
const mostShown = 100;

export function ListPicker({ ids: asked }: { ids: readonly string[] }) {
  const store = useStore();
  const { ids } = useTargets(asked);
  const [text, setText] = useState('');
  const projects = useComputed(() => namedProjects(store.rows)).value;
  const move = (destination: Destination) => {
    store.commands.moveTask(ids, destination);
    closeOverlay();
  };
  const query = text.trim();

  const plain = (list: 'inbox' | 'someday'): ListChoice => {
    const title = screenWords[list];
    const sign = <Icon name={list} />;
    const pick = () => {
      if (list === 'inbox') return move({ list });
      // What has a day is not in Someday.
      store.commands.someday(ids);
      closeOverlay();
    };
    return { title, label: title, ...titledChoice({ id: list, title, query, sign, pick }) };
  };
  const ofProject = ({ id, title, area, sections }: (typeof projects)[number]): ListChoice[] => [
    {
      title,
      label: `${title} ${area ?? ''}`,
      ...titledChoice({
        id,
        title,
        query,
        sign: <ProgressRing id={id} />,
        hint: <Marked text={area ?? ''} query={query} />,
        pick: () => move({ projectId: id, sectionId: null }),
      }),
    },
    ...sections.map((section) => ({
      title: section.title,
      label: `${title} ${section.title} ${area ?? ''}`,
      ...titledChoice({
        id: section.id,
        title: section.title,
        query,
        sign: <Icon name="list" />,
        hint: <Marked text={title} query={query} />,
        pick: () => move({ projectId: id, sectionId: section.id }),
      }),
    })),
  ];
  const all = [plain('inbox'), plain('someday'), ...projects.flatMap(ofProject)];
  const wanted = foldText(query);
  // A title that is typed in full comes first, then those that begin with the text.
  const distance = (title: string) => Number(title !== wanted) + Number(!title.startsWith(wanted));
  const found = all
    .filter(({ label }) => foldText(label).includes(wanted))
    .sort((a, b) => distance(foldText(a.title)) - distance(foldText(b.title)));
  const isNamed = [screenWords.inbox, screenWords.someday, ...projects.map(({ title }) => title)].some(
    (title) => foldText(title) === wanted,
  );
  const moveToNew = (projectId: string) => move({ projectId, sectionId: null });
  const choices: Choice[] = [
    ...found.slice(0, mostShown),
    ...(isNamed || query === '' ? [] : [newProjectChoice(store, query, projects.length, moveToNew)]),
  ];
  return (
    <PickerDialog
      label={words.list}
      icon="list"
      placeholder={words.listPlaceholder}
      listLabel={words.lists}
      text={text}
      onText={setText}
      choices={choices}
      more={found.length > mostShown && words.more}
      nothing=""
    />
  );
}
