import type { VNode } from 'preact';
import type { Destination } from '../store/task-drafts.ts';

export type RowRef = { entity: 'task' | 'project'; id: string };

/** What a task becomes when it is put into a group. */
type GroupPlace = { kind: 'day'; date: string } | { kind: 'list'; destination: Destination };

/** What rows of a group show besides the title. */
export type RowStyle = {
  /** The title of its project. */
  project: boolean;
  /** `near`: its date; `column`: in a column before the title; `none`: the group says it. */
  date: 'near' | 'column' | 'none';
  /** Indented below the number of its day. */
  inDay: boolean;
};

/** `more`: it unfolds the group. */
type GroupHeading = { kind: 'plain' | 'more' | 'day' | 'emptyDays' | 'month'; element: VNode };

/** Rows under one heading. A list is one or more groups. */
export type ListGroup = {
  key: string;
  /** Spoken when a task comes here. */
  title: string;
  heading?: GroupHeading;
  rows: readonly RowRef[];
  /** Else `plainStyle`. */
  style?: RowStyle;
  /** Without one, nothing can be put here. */
  place?: GroupPlace;
  /** Of a run of empty days: each as a group of its own, where keys put tasks. */
  days?: readonly ListGroup[];
  /** Rows can be put in an order of one's own. */
  isOrdered?: boolean;
  footer?: { kind: 'more' | 'add'; element: VNode };
};

const plainStyle: RowStyle = { project: false, date: 'near', inDay: false };

export function taskRefs(ids: readonly string[]): RowRef[] {
  return ids.map((id) => ({ entity: 'task', id }));
}

export function projectRefs(ids: readonly string[]): RowRef[] {
  return ids.map((id) => ({ entity: 'project', id }));
}

/** One line of the screen: what the grid places. */
export type ListLine =
  | { kind: 'heading'; key: string; groupKey: string; heading: GroupHeading; isFirst: boolean }
  | { kind: 'row'; key: string; ref: RowRef; groupKey: string; style: RowStyle; isFirst: boolean }
  | { kind: 'footer'; key: string; groupKey: string; footer: 'more' | 'add'; element: VNode };

export function toLines(groups: readonly ListGroup[]): ListLine[] {
  const lines: ListLine[] = [];
  for (const { key: groupKey, heading, rows, style = plainStyle, footer } of groups) {
    if (heading !== undefined) {
      const isFirst = lines.length === 0;
      lines.push({ kind: 'heading', key: `heading ${groupKey}`, groupKey, heading, isFirst });
    }
    for (const [place, ref] of rows.entries()) {
      lines.push({ kind: 'row', key: ref.id, ref, groupKey, style, isFirst: place === 0 });
    }
    if (footer !== undefined) {
      const { kind, element } = footer;
      lines.push({ kind: 'footer', key: `footer ${groupKey}`, groupKey, footer: kind, element });
    }
  }
  return lines;
}

export function groupOf(groups: readonly ListGroup[], id: string): ListGroup | undefined {
  return groups.find((group) => group.rows.some((row) => row.id === id));
}
