import type { VNode } from 'preact';
import type { Destination } from '../store/task-drafts.ts';

export type RowRef = { entity: 'task' | 'project'; id: string };

/** The changes of a task that is moved into a group. */
type GroupPlace = { kind: 'day'; date: string } | { kind: 'list'; destination: Destination };

/** What rows of a group show in addition to the title. */
export type RowStyle = {
  project: boolean;
  /** `near`: its date; `column`: in a column before the title; `none`: the group's heading shows it. */
  date: 'near' | 'column' | 'none';
  /** Indented below the number of its day. */
  inDay: boolean;
};

/** A heading or footer. `more`: a button that unfolds the group; `add`: one for a new row. */
type GroupEdge = { kind: 'plain' | 'more' | 'add' | 'day' | 'emptyDays' | 'month'; element: VNode };

export const plainEdge = (element: VNode): GroupEdge => ({ kind: 'plain', element });

/** Rows under one heading. A list is one or more groups. */
export type ListGroup = {
  key: string;
  /** Announced when a task is moved here. */
  title: string;
  heading?: GroupEdge;
  rows: readonly RowRef[];
  /** Default: `plainStyle`. */
  style?: RowStyle;
  /** Without one, no task can be moved here. */
  place?: GroupPlace;
  /** For a range of empty days: a group for each, to which keys move tasks. */
  days?: readonly ListGroup[];
  isOrdered?: boolean;
  footer?: GroupEdge;
};

const plainStyle: RowStyle = { project: false, date: 'near', inDay: false };

export function taskRefs(ids: readonly string[]): RowRef[] {
  return ids.map((id) => ({ entity: 'task', id }));
}

export function projectRefs(ids: readonly string[]): RowRef[] {
  return ids.map((id) => ({ entity: 'project', id }));
}

export type ListLine =
  | { kind: 'edge'; key: string; groupKey: string; edge: GroupEdge; isFirst: boolean }
  | { kind: 'row'; key: string; ref: RowRef; groupKey: string; style: RowStyle; isFirst: boolean };

export function toLines(groups: readonly ListGroup[]): ListLine[] {
  const lines: ListLine[] = [];
  for (const { key: groupKey, heading, rows, style = plainStyle, footer } of groups) {
    const addEdge = (key: string, edge: GroupEdge) =>
      lines.push({ kind: 'edge', key, groupKey, edge, isFirst: lines.length === 0 });
    if (heading !== undefined) addEdge(`heading ${groupKey}`, heading);
    for (const [place, ref] of rows.entries()) {
      lines.push({ kind: 'row', key: ref.id, ref, groupKey, style, isFirst: place === 0 });
    }
    if (footer !== undefined) addEdge(`footer ${groupKey}`, footer);
  }
  return lines;
}
