import type { MigrationList } from '#shared/database/migrate.ts';

type Rule = { breaks: string; statement: RegExp; unless?: RegExp };

/** What the release before would notice, or wait for while it serves. */
const rules: readonly Rule[] = [
  { breaks: 'takes something away', statement: /\b(drop|rename|truncate|revoke)\b/ },
  { breaks: 'changes a column', statement: /\balter column\b/ },
  {
    breaks: 'adds a column that earlier code leaves empty',
    statement: /\badd column\b[^,;]*\bnot null\b/,
    unless: /\b(default|generated)\b/,
  },
  { breaks: 'refuses rows that were allowed', statement: /\badd (constraint|check|unique|foreign)\b/ },
  { breaks: 'changes rows', statement: /^(update|delete)\b/ },
  {
    breaks: 'acts on what earlier code writes',
    statement: /^create (or replace )?(trigger|rule)\b/,
    // A setting of the transaction that only later code makes.
    unless: /\bwhen \(nullif\(current_setting\('tasks\.writing', true\), ''\) is not null\)/,
  },
];

/** `migration: statement — why`, for each that the release before could not live with. */
export function breakingStatements(migrations: MigrationList): string[] {
  // The first makes the schema: nobody works in it yet.
  return migrations.slice(1).flatMap(({ name, class: Migration }) => {
    const statements = statementsOf(Migration);
    const ownFunctions = statements.flatMap((text) => /^create function ([^(]+)/.exec(text)?.[1] ?? []);
    const ownTables = statements.flatMap((text) => /^create table (\S+)/.exec(text)?.[1] ?? []);
    // A new function is nobody's yet, and everybody's by default.
    const isOwnSecret = (text: string) =>
      ownFunctions.some((name) => text.startsWith(`revoke all on function ${name}(`));
    return statements
      .filter((text) => !isOwnSecret(text))
      .flatMap((text) => reasons(text, ownTables).map((why) => `${name}: ${text} — ${why}`));
  });
}

function reasons(text: string, ownTables: readonly string[]): string[] {
  const broken = rules.filter(({ statement, unless }) => statement.test(text) && !unless?.test(text));
  return [...broken.map(({ breaks }) => breaks), ...reasonsOfIndex(text, ownTables)];
}

/** `if not exists` marks an index that is built by hand before, without stopping anything. */
function reasonsOfIndex(text: string, ownTables: readonly string[]): string[] {
  const form = /^create (?<unique>unique )?index (?<byHand>if not exists )?\S+ on (?<table>\S+)/;
  const { unique, byHand, table } = form.exec(text)?.groups ?? {};
  if (table === undefined || ownTables.includes(table)) return [];
  if (unique !== undefined) return ['refuses rows that were allowed'];
  return byHand === undefined ? ['stops writes while an index is built'] : [];
}

/** In lower case, with single blanks. */
function statementsOf(Migration: MigrationList[number]['class']): string[] {
  const statements: string[] = [];
  const recorder: InstanceType<typeof Migration> = Object.create(Migration.prototype);
  recorder.addSql = (sql) => void statements.push(String(sql).toLowerCase().replaceAll(/\s+/g, ' ').trim());
  void recorder.up();
  return statements;
}
