import type { Command } from './command.ts';

const progressMilliseconds = 5_000;

export const notesCommands: readonly Command[] = [
  {
    name: 'notes render',
    summary:
      'Render notes again that an earlier release rendered, or that exceeded a limit; ' +
      'may be stopped and restarted',
    options: {},
    example: 'notes render',
    exampleAnswer: '{"accounts":1204,"rendered":31877,"changed":12}',
    async run(_values, { databaseUrl, environment }) {
      const { renderNotesAgain } = await import('#resource-api/admin/notes-admin.ts');
      let reportedAt = performance.now();
      return renderNotesAgain(databaseUrl, environment, (done) => {
        if (performance.now() - reportedAt < progressMilliseconds) return;
        reportedAt = performance.now();
        console.error(
          `${done.accounts} accounts done, ${done.rendered} notes rendered, ${done.changed} of them changed`,
        );
      });
    },
  },
];
