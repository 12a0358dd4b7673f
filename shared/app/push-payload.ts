/** What auth-server sends to the app's service worker. `tag`: a notification replaces the one of the same tag. */
export type PushPayload =
  | { kind: 'task'; tag: string; taskId: string; title: string; dueDate: string; time: string }
  | { kind: 'digest'; tag: string; count: number; titles: string[] };
