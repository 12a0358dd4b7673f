import { emailOption } from './account-commands.ts';
import { type Command, UsageError } from './command.ts';

const usualLimit = 50;
const greatestLimit = 1_000;

export const auditCommands: readonly Command[] = [
  {
    name: 'audit list',
    summary: 'List what happened to an account’s sign-in, tokens and apps, newest first',
    options: {
      email: emailOption,
      limit: { value: 'N', description: `how many at most, 1 to 1,000 (default: ${usualLimit})` },
    },
    example: 'audit list --email ada@example.com --limit 10',
    exampleAnswer:
      '[{"at":"2026-11-21T08:00:00.000Z","event":"app_connected","actor":"owner",' +
      '"subjectId":"6ecd…","subjectName":"Claude","address":"203.0.113.7","userAgent":"Mozilla/5.0 …"}]',
    async run(values, { databaseUrl }) {
      const limit = readLimit(values.find('limit'));
      const { showAuditTrail } = await import('#auth-server/admin/audit-admin.ts');
      return showAuditTrail(databaseUrl, values.get('email'), limit);
    },
  },
];

function readLimit(given: string | undefined): number {
  if (given === undefined) return usualLimit;
  const limit = /^\d{1,4}$/.test(given) ? Number(given) : 0;
  if (limit >= 1 && limit <= greatestLimit) return limit;
  throw new UsageError('--limit must be a whole number from 1 to 1,000');
}
