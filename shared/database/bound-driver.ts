import { PostgreSqlConnection, PostgreSqlDriver } from '@mikro-orm/postgresql';
import { CompiledQuery } from 'kysely';
import { bindValues } from './bound-values.ts';
import { keepPlanWhileFew } from './kept-plans.ts';
import { defersRowChanges, markUnanswered } from './unanswered-statements.ts';

type Execute = PostgreSqlConnection['execute'];

/**
 * MikroORM's own driver writes the values of a statement into its text, one character after another: a text as long
 * as notes may be stops the process for tens of milliseconds. This one sends them beside it.
 */
export class BoundDriver extends PostgreSqlDriver {
  override connection = new BoundConnection(this.config);
}

class BoundConnection extends PostgreSqlConnection {
  override async execute<Answer extends Awaited<ReturnType<Execute>>>(
    ...[query, parameters = [], method = 'all', transaction, ...others]: Parameters<Execute>
  ): Promise<Answer> {
    if (typeof query !== 'string' || !Array.isArray(parameters))
      return super.execute(query, parameters, method, transaction, ...others);
    await this.ensureConnection();
    const { text, values } = bindValues(query, parameters, (name) => this.platform.quoteIdentifier(name));
    if (isOfOneRow(text)) keepPlanWhileFew(text);
    if (defersRowChanges(transaction) && isUnansweredChange(text)) markUnanswered(values);
    const answer = await (transaction ?? this.getClient()).executeQuery(CompiledQuery.raw(text, values));
    return this.transformRawResult(answer, method);
  }
}

/** Of the unit of work: a row made, or found or changed by its key. These have one best plan, whatever the values. */
function isOfOneRow(text: string): boolean {
  if (text.startsWith('insert into "')) return !text.includes('), (');
  return /"id" = \$\d+(?: limit \$\d+)?$/.test(text);
}

/** Of the unit of work, too: it asks for no column and, without versions, for no count. */
function isUnansweredChange(text: string): boolean {
  return /^(?:insert into|update|delete from) "/.test(text) && !text.includes(' returning ');
}
