import { Icon } from '../components/icon.tsx';
import { ProgressRing } from '../components/project-ring.tsx';
import { StatusSign } from '../components/round-box.tsx';
import { formatDay } from '../dates/format-day.ts';
import { firstKeysOf, formatKeys } from '../keys/key-map.ts';
import { type Choice, Marked } from '../overlays/choices.tsx';
import { closeOverlay } from '../overlays/overlay.ts';
import { titledChoice } from '../overlays/titled-choice.tsx';
import { navigate, openTask } from '../router.ts';
import { viewDate } from '../store/order.ts';
import type { ProjectRow, TaskRow } from '../store/row-types.ts';
import type { Store } from '../store/store.ts';
import { useStore } from '../store/store-context.ts';
import { closedOn } from '../store/views.ts';
import { foldText } from '../words/fold-text.ts';
import { paletteWords as words } from '../words/palette-words.ts';
import { recordWords } from '../words/record-words.ts';
import { screenWords } from '../words/screen-words.ts';
import { type Command, type CommandTargets, screenCommands, taskCommands } from './palette-commands.ts';
import { useServerSearch } from './use-server-search.ts';

const shownTasks = 8;
const shownLists = 5;
const shownAreas = 2;
const shownCommands = 4;

type Results = {
  choices: Choice[];
  /** Whether further tasks or lists match. */
  isMore: boolean;
  isSearching: boolean;
};

/** The server adds notes and closed tasks. Commands on tasks come first if any is chosen or focused. */
export function useResults(query: string, isFromRow: boolean, chosen: CommandTargets): Results {
  const store = useStore();
  const server = useServerSearch(query);
  const { tasks: targets, isChosen } = chosen;
  const [target] = targets;
  const heading = targets.length > 1 ? words.withTasks(targets.length) : words.withTask(target?.title ?? '');
  const onTasks =
    target === undefined
      ? []
      : commandChoices(taskCommands(store, targets), query, heading, shownCommands, 'with');
  const all = screenCommands(store);
  const screens = commandChoices(all, query, words.commands, query === '' ? all.length : shownCommands, 'do');
  const [first, last] = isChosen || isFromRow ? [onTasks, []] : [[], onTasks];
  if (query === '') return { choices: [...first, ...screens, ...last], isMore: false, isSearching: false };
  const found = findTasks(store, query, server.tasks);
  const tasks = found.shown.map((task) => taskChoice(store, task, query));
  const lists = findLists(store, query, server.projects);
  // A list of that name comes before tasks that only mention it in their notes.
  const isTitled = found.shown.some(({ title }) => matchScore(title, foldText(query)) !== null);
  const named = isTitled ? [...tasks, ...lists.shown] : [...lists.shown, ...tasks];
  const choices = [...first, ...named, ...screens, ...last];
  const isMore = server.isMore || found.isMore || lists.isMore;
  return { choices, isMore, isSearching: server.isSearching };
}

type Found<Item> = { shown: Item[]; isMore: boolean };

function findTasks(store: Store, query: string, more: readonly TaskRow[]): Found<TaskRow> {
  const live = store.rows.tasks.all().filter(({ inTrash }) => !inTrash);
  const open = live.filter(({ status }) => status === 'open');
  const found = bestMatches(open, query);
  const shown = withOthers(found.slice(0, shownTasks), more).slice(0, shownTasks + 4);
  return { shown, isMore: withOthers(found, more).length > shown.length };
}

function withOthers<Row extends { id: string }>(found: readonly Row[], more: readonly Row[]): Row[] {
  const known = new Set(found.map(({ id }) => id));
  return [...found, ...more.filter(({ id }) => !known.has(id))];
}

function taskChoice(store: Store, task: TaskRow, query: string): Choice {
  const { id, title, status } = task;
  const pick = () => {
    store.adopt({ tasks: store.rows.tasks.shown.has(id) ? [] : [task] });
    closeOverlay();
    openTask(id);
  };
  const sign = <StatusSign status={status} />;
  const choice = titledChoice({ id, title, query, sign, hint: placeOf(store, task), pick });
  return { ...choice, heading: words.tasks, isDone: status !== 'open' };
}

function placeOf(store: Store, task: TaskRow): string {
  const today = store.today.value;
  const day = closedOn(task, store.timeZone.value);
  if (day !== null) {
    const said = words.closed(task.status, formatDay(day, today));
    const { dueDate } = task;
    if (dueDate === null || dueDate === day) return said;
    return `${said}, ${recordWords.plannedFor(formatDay(dueDate, today))}`;
  }
  const project = store.rows.projects.shown.get(task.projectId ?? '')?.title;
  if (project !== undefined) return project;
  const date = viewDate(task);
  if (date !== null) return formatDay(date, today);
  return task.list === 'someday' ? screenWords.someday : screenWords.inbox;
}

function findLists(store: Store, query: string, more: readonly ProjectRow[]): Found<Choice> {
  const isClosed = ({ status }: ProjectRow) => status !== 'active';
  const projects = store.rows.projects
    .all()
    .filter(({ inTrash }) => !inTrash)
    .sort((a, b) => Number(isClosed(a)) - Number(isClosed(b)));
  const found = bestMatches(projects, query);
  const shownProjects = withOthers(found.slice(0, shownLists), more);
  const areas = bestMatches(store.rows.areas.all(), query);
  const shown = [
    ...shownProjects.map((project) => {
      const isDone = isClosed(project);
      const sign = <ProgressRing id={project.id} isClosed={isDone} />;
      return { ...listChoice(project, 'project', query, sign, words.project[project.status]), isDone };
    }),
    ...areas
      .slice(0, shownAreas)
      .map((area) => listChoice(area, 'area', query, <Icon name="anytime" />, words.area)),
  ];
  return { shown, isMore: withOthers(found, more).length + areas.length > shown.length };
}

function listChoice(
  { id, title }: { id: string; title: string },
  screen: 'project' | 'area',
  query: string,
  sign: Choice['content'],
  hint: string,
): Choice {
  const pick = () => {
    closeOverlay();
    navigate({ screen, id });
  };
  return { heading: words.lists, ...titledChoice({ id, title, query, sign, hint, pick }) };
}

function commandChoices(
  commands: readonly Command[],
  query: string,
  heading: string,
  limit: number,
  name: string,
): Choice[] {
  const found = query === '' ? commands : bestMatches(commands, query);
  return found.slice(0, limit).map(({ action, icon, run, title }) => ({
    id: `${name}-${title.replaceAll(' ', '-')}`,
    heading,
    pick: () => {
      closeOverlay();
      run();
    },
    content: (
      <>
        <Icon name={icon} />
        <Marked text={title} query={query} />
        <span class="hint">{action && <kbd>{formatKeys(firstKeysOf(action))}</kbd>}</span>
      </>
    ),
  }));
}

/** A match's rank: whole title, its start, start of a word, within; null: none. Every word has to occur. */
function matchScore(title: string, wanted: string): number | null {
  const text = foldText(title);
  if (text === wanted) return 0;
  if (text.startsWith(wanted)) return 1;
  if (text.includes(` ${wanted}`)) return 2;
  if (text.includes(wanted)) return 3;
  return wanted.split(/\s+/u).every((word) => text.includes(word)) ? 4 : null;
}

/** The best matches, in stable order; matches by further search words come last. */
function bestMatches<Named extends { title: string; also?: string | undefined }>(
  all: Iterable<Named>,
  query: string,
): Named[] {
  const wanted = foldText(query);
  const groups: Named[][] = [[], [], [], [], []];
  for (const named of all) {
    const { title, also } = named;
    const isAlso = also !== undefined && matchScore(`${title} ${also}`, wanted) !== null;
    const score = matchScore(title, wanted) ?? (isAlso ? 4 : null);
    if (score !== null) groups[score]?.push(named);
  }
  return groups.flat();
}
