import { describeFailure } from './describe-failure.ts';
import { findInstance } from './find-instance.ts';
import { migrateDatabase } from './migrate-database.ts';

const patienceMinutes = 5;

const help = `Brings the database up to date: applies the migrations it lacks, then ends.
There is no way back and no dry run.

Usage: npm run migrate

The database is that of the running «npm start» in DATA_DIR (default: .data),
or DATABASE_URL when it is set: a login that may create schemas,
and roles unless they are there.

A server that does not answer, and transactions that hold what has to be locked, are waited for,
${patienceMinutes} minutes each.
An error is one line on standard error, with exit code 1.`;

const [argument] = process.argv.slice(2);
if (argument === undefined) await migrate();
else if (argument === '--help' || argument === '-h') console.log(help);
else {
  console.error(`unknown argument «${argument}»; see npm run migrate -- --help`);
  process.exitCode = 1;
}

async function migrate(): Promise<void> {
  const patience = {
    totalMilliseconds: patienceMinutes * 60_000,
    onPause: (reason: string, pauseMilliseconds: number) =>
      console.error(`waiting: ${reason}; trying again in ${pauseMilliseconds / 1_000} s`),
  };
  try {
    // Other settings, such as a service's, are none of its.
    const { DATABASE_URL, PGSSLMODE, DATA_DIR } = process.env;
    const { databaseUrl } = findInstance({ DATABASE_URL, PGSSLMODE, DATA_DIR });
    const applied = await migrateDatabase(databaseUrl, patience);
    for (const migration of applied) console.log(`applied ${migration}`);
    console.log(applied.length === 0 ? 'the database was up to date' : 'the database is up to date');
  } catch (error) {
    console.error(`migrating failed: ${describeFailure(error)}`);
    process.exitCode = 1;
  }
}
