/** The first day of the month that comes `months` after the month of the date. */
export function startOfMonth(date: string, months = 0): string {
  const wanted = Number(date.slice(0, 4)) * 12 + (Number(date.slice(5, 7)) - 1) + months;
  const count = Math.max(12, Math.min(119_999, wanted));
  return `${String(Math.floor(count / 12)).padStart(4, '0')}-${String((count % 12) + 1).padStart(2, '0')}-01`;
}
