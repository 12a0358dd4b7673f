import type { Command } from './command.ts';

const progressMilliseconds = 5_000;

export const notesCommands: readonly Command[] = [
  {
    name: 'notes render',
    summary: 'Render again what an earlier release made of notes; may be ended and begun again',
    options: {},
    example: 'notes render',
    exampleAnswer: '{"accounts":1204,"rendered":31877,"changed":12}',
    async run(_values, { databaseUrl, environment }) {
      const { renderNotesAgain } = await import('#resource-api/admin/notes-admin.ts');
      let toldAt = performance.now();
      return renderNotesAgain(databaseUrl, environment, (done) => {
        if (performance.now() - toldAt < progressMilliseconds) return;
        toldAt = performance.now();
        console.error(
          `${done.accounts} accounts done, ${done.rendered} notes rendered, ${done.changed} of them changed`,
        );
      });
    },
  },
];
