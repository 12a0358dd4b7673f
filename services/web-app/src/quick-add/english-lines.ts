import type { Line } from './piece.ts';

/** The marks that lists are pasted with: «- », «1. », and the boxes of checklists: «[ ] », «☐». */
const listMark = /^\s*(?:(?:[-*•–]|\d{1,3}[.)])\s+)?/u;
const boxMark = /^(?:(?:\[(?<ticked>[xX])\]|\[ ?\])\s+|(?:(?<tick>[☑☒✅✔✓])|[☐□])\uFE0F?\s*)?/u;
/** Alone, «- » and «✅» may be meant as they stand. */
const bracketMark = /^\s*(?:[-*•–]\s+)?\[[ xX]?\]\s/u;
const quoteMarks = /^\s*(?:>\s?)+/u;
/** Empty, or a line that is drawn: «--», «* * *». */
const holdsNothing = /^[\s\-–—_=*~>]*$/u;
const header = /^(?:from|to|subject|date|sent|cc|bcc|reply-to):/iu;
const subjectLine = /^[\s>]*subject: ?(?<subject>\S.*)$/iu;
const replyMarks = /^(?:(?:re|fwd?|aw): ?)+/iu;
const attribution = /^on .*\bwrote:$/iu;

/** The lines that hold something, without the marks of a list, of quotes and of mail; one without its box. */
export function readLines(text: string): Line[] {
  const all = text.split(/\r?\n/u).filter((line) => line.trim() !== '');
  if (all.length < 2 && !bracketMark.test(text)) return all.map((line) => ({ text: line, isTicked: false }));
  return tasksIn(all).map((line) => {
    const item = line.replace(listMark, '');
    const { 0: box = '', groups } = boxMark.exec(item) ?? {};
    return {
      text: item.slice(box.length),
      isTicked: groups?.ticked !== undefined || groups?.tick !== undefined,
    };
  });
}

function tasksIn(all: readonly string[]): string[] {
  const lines = all.map((line) => line.replace(quoteMarks, '').trimEnd());
  // One «To: Ann» alone is a task.
  const isMail =
    all.some((line) => quoteMarks.test(line)) || lines.filter((line) => header.test(line)).length > 1;
  const isOfMail = (line: string) => isMail && (header.test(line.trim()) || attribution.test(line.trim()));
  return lines.filter((line) => !holdsNothing.test(line.replace(listMark, '')) && !isOfMail(line));
}

/** One task with the rest as its notes: a mail is called by its subject, else by its first line. */
export function readMessage(text: string): { title: string; notes: string } {
  const lines = text.trim().split(/\r?\n/u);
  const first = readLines(text)[0]?.text ?? '';
  const firstAt = Math.max(
    0,
    lines.findIndex((line) => line.includes(first)),
  );
  const subjects = lines.slice(0, firstAt + 1).map((line) => subjectLine.exec(line)?.groups?.subject);
  const subjectAt = subjects.findIndex((subject) => subject !== undefined);
  const titleAt = subjectAt < 0 ? firstAt : subjectAt;
  const subject = subjects[subjectAt]?.replace(replyMarks, '');
  return { title: subject || first, notes: lines.toSpliced(titleAt, 1).join('\n').trim() };
}
