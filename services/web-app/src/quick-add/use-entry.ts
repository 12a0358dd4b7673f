import { useComputed } from '@preact/signals';
import { useEffect, useMemo, useRef, useState } from 'preact/hooks';
import { longestChecklist, longestNotes, longestTitle } from '#shared/validation/text-limits.ts';
import { isWithinLength } from '#shared/validation/text-rules.ts';
import type { QuickAddList } from '../overlays/overlay.ts';
import { location } from '../router.ts';
import { tabStorage } from '../store/device-storage.ts';
import { useStore } from '../store/store-context.ts';
import type { NewTask } from '../store/task-drafts.ts';
import { quickAddWords as words } from '../words/quick-add-words.ts';
import { civilNow, grammar, loadGrammar } from './load-grammar.ts';
import { namedProjects } from './named-projects.ts';
import type { Piece, Place } from './piece.ts';
import { type Entry, type EntryOptions, readEntry } from './read-entry.ts';
import { type LinesAs, maximumTasks, tasksOf } from './read-lines.ts';
import { screenDefaults } from './screen-defaults.ts';

/** Text typed in this tab and not added is restored the next time; a text of the opener is not kept. */
function useDraft(
  field: 'text' | 'notes' | 'lines-as',
  given: string | null,
): [string, (value: string) => void] {
  const name = `quick-add-${field}-${useStore().account.value?.id}`;
  const [value, setValue] = useState(given ?? tabStorage.getItem(name) ?? '');
  const keep = (next: string) => {
    if (given === null) tabStorage.setItem(name, next);
    setValue(next);
  };
  return [value, keep];
}

export type EntryForm = ReturnType<typeof useEntry>;

/** The typed text, its parsed content, and the resulting tasks. */
export function useEntry(initial: string, list: QuickAddList | null) {
  const store = useStore();
  const below = useRef(list?.below ?? null);
  const [text, setText] = useDraft('text', initial || null);
  const [notes, setNotes] = useDraft('notes', initial ? '' : null);
  const [linesAs, setLinesAs] = useDraft('lines-as', initial ? '' : null);
  const [plain, setPlain] = useState<ReadonlySet<string>>(new Set());
  const [picked, setPicked] = useState<ReadonlyMap<string, Place>>(new Map());
  const projects = useComputed(() => namedProjects(store.rows)).value;
  const today = store.today.value;
  const allowsDeadlines = store.allowsDeadlines.value;
  const defaults = screenDefaults(store, location.value.route, list);
  useEffect(() => void loadGrammar(), []);

  const options: EntryOptions = useMemo(
    () => ({
      grammar: grammar.value,
      now: civilNow(store.timeZone.value),
      projects,
      picked,
      plain,
      allowsDeadlines,
    }),
    [grammar.value, today, projects, picked, plain, allowsDeadlines],
  );
  const read = useMemo(() => memoize((line: string) => readEntry(line, options)), [options]);
  const lines = useMemo(() => grammar.value.readLines(text).map((line) => line.text), [grammar.value, text]);
  const message = useMemo(() => grammar.value.readMessage(text), [grammar.value, text]);
  const isChecklist = linesAs === 'checklist';
  const isReadable = lines.length <= maximumTasks;
  const shown = text.split('\n').map((line) => ({ text: line, pieces: isReadable ? read(line).pieces : [] }));

  /** Parses again, with the grammar that may have been loaded since and the current time. */
  async function readTasks(as: LinesAs): Promise<NewTask[]> {
    await loadGrammar();
    const entry = { ...options, grammar: grammar.value, now: civilNow(store.timeZone.value) };
    return tasksOf(text, as, { entry, defaults, notes });
  }

  /** One after another, what is added stands in that order. */
  async function add(as: LinesAs): Promise<void> {
    const ids = store.commands.addTasks(await readTasks(as), below.current);
    below.current = { scope: 'list', ...below.current, id: ids.at(-1) ?? '' };
  }

  return {
    text,
    notes,
    isChecklist,
    isSeveral: lines.length > 1 && !isChecklist,
    /** What is one line again is not a checklist any more. */
    setText(next: string) {
      setText(next);
      if (!next.includes('\n')) setLinesAs('');
    },
    setNotes,
    startChecklist() {
      setText(`${text.trimEnd()}\n`);
      setLinesAs('checklist');
    },
    lines,
    shown,
    entry: isReadable ? read(lines[0] ?? '') : null,
    defaults,
    today,
    projects,
    allowsDeadlines,
    add,
    problem: problemOf(lines, notes, read),
    isMessage: lines.length > 1 && isWithinLimits(message, notes),
    hasRoomForItems: lines.length - 1 <= longestChecklist,
    makePlain(pieces: readonly Piece[], line: string) {
      setPlain(new Set([...plain, ...pieces.map(({ start, end }) => line.slice(start, end))]));
    },
    nameOf({ projectId, sectionId }: Place): string {
      const project = store.rows.projects.row(projectId).value?.title ?? '';
      const section = sectionId === null ? undefined : store.rows.sections.row(sectionId).value?.title;
      return section ? `${project} / ${section}` : project;
    },
    pick(name: string, place: Place) {
      setPicked(new Map([...picked, [name, place]]));
    },
    clear() {
      setText('');
      setNotes('');
      setLinesAs('');
      setPlain(new Set());
      setPicked(new Map());
    },
  };
}

/** Why the text cannot be added; it stays in the field. */
function problemOf(lines: readonly string[], notes: string, read: (line: string) => Entry): string | null {
  if (lines.length > maximumTasks) return words.tooManyLines(lines.length, maximumTasks);
  const entries = lines.map(read);
  if (entries.some(({ title }) => !isWithinLength(title, longestTitle)))
    return words.titleTooLong(longestTitle);
  const isLong = entries.some((entry) => !isWithinLength((entry.notes ?? '') + notes, longestNotes));
  return isLong ? words.notesTooLong(longestNotes) : null;
}

function isWithinLimits(message: { title: string; notes: string }, notes: string): boolean {
  return isWithinLength(message.title, longestTitle) && isWithinLength(message.notes + notes, longestNotes);
}

function memoize<Value>(compute: (text: string) => Value): (text: string) => Value {
  const known = new Map<string, Value>();
  return (text) => {
    const value = known.get(text) ?? compute(text);
    known.set(text, value);
    return value;
  };
}
