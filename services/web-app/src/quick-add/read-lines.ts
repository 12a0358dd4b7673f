import type { NewTask } from '../store/task-drafts.ts';
import { type Entry, type EntryOptions, readEntry } from './read-entry.ts';
import { type EntryDefaults, newTask } from './task-body.ts';

export const maximumTasks = 500;

/** The marks that lists are pasted with: «- », «1. », «[ ] ». */
const listMark = /^\s*(?:(?:[-*•–]|\d{1,3}[.)])\s+)?(?:\[[ xX]?\]\s+)?/u;

/** The lines that hold something, without the marks of a list when there are several. */
export function linesOf(text: string): string[] {
  const lines = text.split(/\r?\n/u).filter((line) => line.trim() !== '');
  return lines.length < 2
    ? lines
    : lines.map((line) => line.replace(listMark, '')).filter((line) => line !== '');
}

type Options = { entry: EntryOptions; defaults: EntryDefaults; notes: string };

/** One task for each line; the notes are for all of them. */
export function tasksOf(lines: readonly string[], options: Options): NewTask[] {
  return lines.map((line) => taskOf(readEntry(line, options.entry), options));
}

/** The first line is the task, the others are its checklist. */
export function taskWithChecklist([first = '', ...items]: readonly string[], options: Options): NewTask {
  const task = taskOf(readEntry(first, options.entry), options);
  return { ...task, checklist: items.map((title) => ({ title })) };
}

function taskOf(entry: Entry, { defaults, notes }: Options): NewTask {
  const all = [entry.notes, notes.trim()].filter((text) => text !== null && text !== '').join('\n\n');
  return newTask({ ...entry, notes: all === '' ? null : all }, defaults);
}
