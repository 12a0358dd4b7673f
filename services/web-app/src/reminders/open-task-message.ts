/** From the worker to a page of the app: its user has pressed the notification of that task; null: of a digest. */
export type OpenTaskMessage = { openTask: string | null };
