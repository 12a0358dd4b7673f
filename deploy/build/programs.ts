/** What the image starts, and the thread that resource-api starts; without their services' own modules. */
export const programs = {
  run: 'deploy/container/run.ts',
  health: 'deploy/container/health.ts',
  'render-worker': 'services/resource-api/src/notes/render-worker.ts',
} as const;

/** In the project, and in the image. */
export const programFolder = 'dist';
