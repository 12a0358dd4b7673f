import { spawnSync } from 'node:child_process';
import { chmodSync, chownSync, mkdirSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { Client } from 'pg';
import { type EmbeddedPostgres, startEmbeddedPostgres } from '#local/embedded-postgres.ts';
import { CLUSTER_FOLDER, removeEmbeddedPostgres } from '#local/postgres-cluster.ts';
import { waitFor } from '#tests/support/wait-for.ts';

/** A PostgreSQL that archives its write-ahead log, and a base backup of it to go back to. */
export type ArchivedServer = {
  url: string;
  query(statement: string): Promise<Record<string, string>[]>;
  /** Copies the running server's files, as `pg_basebackup` does (PostgreSQL: Low Level API of base backups). */
  backUp(): Promise<void>;
  /** Names this moment, so that it can be restored. */
  markMoment(name: string): Promise<void>;
  /** The disk is lost: only the backup and the archive stay. */
  lose(): Promise<void>;
  /** A new server from the backup, taken on to that moment; its URL. */
  restore(moment: string): Promise<string>;
};

type Owner = { teardown(end: () => Promise<void>): void };

const settings = { archive_mode: 'on', fsync: 'off' };

export async function startArchivedServer(owner: Owner): Promise<ArchivedServer> {
  const directory = mkdtempSync(path.join(os.tmpdir(), 'archived-postgres-'));
  // PostgreSQL may run as another user, who has to reach it and to write to the archive.
  chmodSync(directory, 0o711);
  const places = {
    first: path.join(directory, 'first'),
    second: path.join(directory, 'second'),
    archive: path.join(directory, 'archive'),
  };
  mkdirSync(places.archive);
  chmodSync(places.archive, 0o777);
  const archive_command = `test ! -f ${places.archive}/%f && cp %p ${places.archive}/%f`;
  let server = await startEmbeddedPostgres({
    directory: places.first,
    settings: { ...settings, archive_command },
  });
  owner.teardown(async () => {
    await server.stop();
    for (const place of [places.first, places.second]) removeEmbeddedPostgres(place);
    rmSync(directory, { recursive: true, force: true });
  });
  const query: ArchivedServer['query'] = (statement) => withClient(server.url, (ask) => ask(statement));

  return {
    url: server.url,
    query,
    backUp: () => backUp(server, places.second),
    async markMoment(name) {
      await query(`select pg_create_restore_point('${name}')`);
      const [row] = await query('select pg_walfile_name(pg_switch_wal()) as file');
      await waitFor(
        async () => {
          const [archiver] = await query('select last_archived_wal from pg_stat_archiver');
          return (archiver?.last_archived_wal ?? '') >= (row?.file ?? '');
        },
        { timeoutMilliseconds: 30_000, what: 'the write-ahead log to be archived' },
      );
    },
    async lose() {
      await server.stop();
      removeEmbeddedPostgres(places.first);
    },
    async restore(moment) {
      const data = path.join(places.second, CLUSTER_FOLDER, 'data');
      writeFileSync(path.join(data, 'recovery.signal'), '');
      giveToServer(data, 'recovery.signal');
      server = await startEmbeddedPostgres({
        directory: places.second,
        settings: {
          ...settings,
          archive_command: 'true',
          restore_command: `cp ${places.archive}/%f %p`,
          recovery_target_name: moment,
          recovery_target_action: 'promote',
          // It would answer reads on its way to that moment, with what was there before.
          hot_standby: 'off',
        },
      });
      return server.url;
    },
  };
}

type Ask = (statement: string) => Promise<Record<string, string>[]>;

async function backUp(server: EmbeddedPostgres, target: string): Promise<void> {
  mkdirSync(target, { mode: 0o711 });
  const copied = path.join(target, CLUSTER_FOLDER);
  // One session: PostgreSQL gives the backup up when it ends.
  await withClient(server.url, async (ask) => {
    await ask(`select pg_backup_start('rehearsal', fast => true)`);
    copy(path.join(server.home, CLUSTER_FOLDER), copied);
    const [row] = await ask('select labelfile from pg_backup_stop()');
    const data = path.join(copied, 'data');
    rmSync(path.join(data, 'postmaster.pid'));
    rmSync(path.join(data, 'pg_wal'), { recursive: true });
    mkdirSync(path.join(data, 'pg_wal'), { mode: 0o700 });
    writeFileSync(path.join(data, 'backup_label'), row?.labelfile ?? '');
    for (const name of ['pg_wal', 'backup_label']) giveToServer(data, name);
  });
}

function giveToServer(data: string, name: string): void {
  const { uid, gid } = statSync(data);
  chownSync(path.join(data, name), uid, gid);
}

/** With owners and rights. */
function copy(from: string, to: string): void {
  const { status, stderr } = spawnSync('cp', ['-a', from, to], { encoding: 'utf8' });
  if (status !== 0) throw new Error(stderr);
}

async function withClient<Answer>(url: string, work: (ask: Ask) => Promise<Answer>): Promise<Answer> {
  const client = new Client({ connectionString: url });
  await client.connect();
  try {
    return await work(async (statement) => (await client.query(statement)).rows);
  } finally {
    await client.end();
  }
}
