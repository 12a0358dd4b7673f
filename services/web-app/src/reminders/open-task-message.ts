/** Message of the worker to a page: the notification of this task was pressed; null: of a digest. */
export type OpenTaskMessage = { openTask: string | null };
