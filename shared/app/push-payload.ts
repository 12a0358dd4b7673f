/**
 * A message of auth-server to the app's service worker. A notification replaces an earlier one with the same
 * `tag`.
 */
export type PushPayload =
  | {
      kind: 'task';
      tag: string;
      taskId: string;
      title: string;
      dueDate: string;
      time: string;
      timezone: string;
    }
  | { kind: 'digest'; tag: string; count: number; titles: string[] };
