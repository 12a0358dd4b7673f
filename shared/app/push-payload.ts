/** auth-server sends lists of these to the app's service worker. One replaces earlier ones of its `tag`. */
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
