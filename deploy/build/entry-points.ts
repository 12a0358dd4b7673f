/** What the image starts, and the thread that resource-api starts, by the names of their bundles. */
export const entryPoints = {
  run: 'deploy/container/run.ts',
  health: 'deploy/container/health.ts',
  'render-worker': 'services/resource-api/src/notes/render-worker.ts',
} as const;
