import { describeFailure } from './describe-failure.ts';
import { findInstance } from './find-instance.ts';
import { migrateDatabase } from './migrate-database.ts';

try {
  const applied = await migrateDatabase(findInstance(process.env).databaseUrl);
  for (const migration of applied) console.log(`applied ${migration}`);
  console.log(applied.length === 0 ? 'the database was up to date' : 'the database is up to date');
} catch (error) {
  console.error(`migrating failed: ${describeFailure(error)}`);
  process.exitCode = 1;
}
