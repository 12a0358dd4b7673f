/** As what is typed is compared with names: without case and accents. As long as composed text. */
export const foldText = (text: string): string =>
  text
    .normalize('NFD')
    .replaceAll(/[\u0300-\u036f]/gu, '')
    .normalize()
    .toLowerCase();
