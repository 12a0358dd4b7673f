export const feedEntities = ['task', 'project', 'section', 'area'] as const;
export type FeedEntity = (typeof feedEntities)[number];
export type FeedChange = 'created' | 'updated' | 'deleted';
export type FeedEntry = { entity: FeedEntity; id: string; change: FeedChange };

/** What one transaction's two changes of the same record come to. */
export function mergeChanges(earlier: FeedChange | undefined, later: FeedChange): FeedChange {
  return earlier === 'created' && later === 'updated' ? 'created' : later;
}
