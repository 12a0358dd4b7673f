import { MikroORM } from '@mikro-orm/postgresql';

/** Another migrator made it at the same moment. */
const uniqueViolation = '23505';

/**
 * Makes the schema and commits that: the migrator keeps its record over a second connection, which would wait for
 * ever for a schema that its own open transaction made.
 */
export async function ensureSchema(url: string, schema: string): Promise<void> {
  const orm = new MikroORM({
    clientUrl: url,
    entities: [],
    discovery: { warnWhenNoEntities: false },
    pool: { min: 0, max: 1 },
    logger: () => undefined,
  });
  try {
    await orm.em.fork().execute(`create schema if not exists ${schema}`);
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === uniqueViolation)) throw error;
  } finally {
    await orm.close(true);
  }
}
