import process from 'node:process';
import { MikroORM } from '@mikro-orm/postgresql';
import express from 'express';
import { TaskEntity } from '#resource-api/tasks/task-entity.ts';
import { toWirePage } from './wire-task.ts';

/*
 * The page of tasks as frameworks' guides show it: Express, and MikroORM's entities found in a fork of the entity
 * manager. No accounts, tokens, limits, validation, logs or metrics. Arguments: the port, the database's URL.
 */
const [port, databaseUrl = ''] = process.argv.slice(2);
const orm = new MikroORM({
  clientUrl: databaseUrl,
  entities: [TaskEntity],
  ensureDatabase: false,
  pool: { min: 0, max: 10 },
  logger: () => undefined,
});

const app = express();
app.get('/api/public/v1/tasks', async (req, res) => {
  const size = Number(req.query.limit ?? 50);
  const tasks = await orm.em
    .fork()
    .find(
      TaskEntity,
      { accountId: req.get('x-account') ?? '', trashedAt: null },
      { orderBy: { createdAt: 'asc', id: 'asc' }, limit: size + 1 },
    );
  res.json(toWirePage(tasks, size));
});
app.listen(Number(port), '127.0.0.1');
process.once('SIGTERM', () => process.exit(0));
