/** What `/metrics` of the management port answers: the text, and the media type it is written in. */
export type MetricsSource = { contentType: string; read(): Promise<string> };
