/** What auth-server sends to the app's service worker: several notifications are a list. */
export type PushPayloads = PushPayload | PushPayload[];

/** A notification; it replaces an earlier one with the same `tag`. */
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
