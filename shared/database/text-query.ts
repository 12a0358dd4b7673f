import { Query, type QueryConfig } from 'pg';

/** The values of a row in the order of its columns, as PostgreSQL writes them in text. */
export type TextRow = readonly (string | null)[];

/** A statement whose rows are left as they come: no names, no types. `answer` rejects with the server's error. */
export class TextQuery extends Query {
  readonly #rows: TextRow[] = [];
  readonly #answer = Promise.withResolvers<TextRow[]>();

  constructor(config: QueryConfig<unknown[]>) {
    super(config, (error) => {
      if (error) this.#answer.reject(error);
      else this.#answer.resolve(this.#rows);
    });
  }

  get answer(): Promise<TextRow[]> {
    return this.#answer.promise;
  }

  /** What the driver calls when it has read the names and types of the columns. */
  handleRowDescription(): void {}

  /** Likewise, for each row. */
  handleDataRow({ fields }: { fields: TextRow }): void {
    this.#rows.push(fields);
  }
}
