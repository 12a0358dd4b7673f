import type { SourceFile } from './source-files.ts';

function lineCount({ text }: Pick<SourceFile, 'text'>): number {
  return text.split('\n').length - (text.endsWith('\n') ? 1 : 0);
}

export function longerThan(limit: number, files: readonly SourceFile[]): string[] {
  return files
    .filter((file) => lineCount(file) > limit)
    .map((file) => `${file.path} has ${lineCount(file)} lines`);
}

export function medianLineCount(files: readonly SourceFile[]): number {
  const counts = files.map(lineCount).toSorted((left, right) => left - right);
  return counts[Math.floor(counts.length / 2)] ?? 0;
}
