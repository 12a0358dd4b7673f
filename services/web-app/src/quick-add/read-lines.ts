import type { NewTask } from '../store/task-drafts.ts';
import type { Line } from './piece.ts';
import { type EntryOptions, readEntry } from './read-entry.ts';
import { type EntryDefaults, newTask } from './task-body.ts';

export const maximumTasks = 500;

/** The use of the lines: a task each, or one task with the others as checklist or notes. */
export type LinesAs = 'tasks' | 'checklist' | 'notes';

type Options = { entry: EntryOptions; defaults: EntryDefaults; notes: string };

/** The notes are for all of them. */
export function tasksOf(text: string, as: LinesAs, options: Options): NewTask[] {
  const { grammar } = options.entry;
  if (as === 'notes') {
    const { title, notes } = grammar.readMessage(text);
    return [taskOf(title, options, notes)];
  }
  const lines = grammar.readLines(text);
  if (as === 'checklist') return [taskWithChecklist(lines, options)];
  return lines.map((line) => ({ ...taskOf(line.text, options), ...(line.isTicked && { isDone: true }) }));
}

function taskWithChecklist([first, ...items]: readonly Line[], options: Options): NewTask {
  const task = taskOf(first?.text ?? '', options);
  const checklist = items.map(({ text: title, isTicked }) => ({
    title,
    ...(isTicked && { completed: true }),
  }));
  return { ...task, checklist };
}

function taskOf(line: string, { entry: options, defaults, notes }: Options, rest = ''): NewTask {
  const entry = readEntry(line, options);
  const all = [entry.notes, rest, notes.trim()].filter((text) => text !== null && text !== '').join('\n\n');
  return newTask({ ...entry, notes: all === '' ? null : all }, defaults);
}
