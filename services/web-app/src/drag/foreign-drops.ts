import { openOverlay, overlay } from '../overlays/overlay.ts';

const ownType = 'application/x-own';

/** A file or link dropped beside a field would replace the app's page. Text is offered as a task. */
export function takeForeignDrops(signal: AbortSignal): void {
  const markOwn = ({ dataTransfer }: DragEvent) => dataTransfer?.setData(ownType, '');
  const take = (event: DragEvent) => {
    const { dataTransfer, target, type } = event;
    if (dataTransfer === null || dataTransfer.types.includes(ownType)) return;
    const isFile = dataTransfer.types.includes('Files');
    if (!isFile && target instanceof Element && target.matches('input, textarea')) return;
    event.preventDefault();
    const isTaken = !isFile && overlay.value === null;
    dataTransfer.dropEffect = isTaken ? 'copy' : 'none';
    const text = dataTransfer.getData('text/plain').trim();
    if (type === 'drop' && isTaken && text !== '') openOverlay({ kind: 'quick-add', text });
  };
  document.addEventListener('dragstart', markOwn, { signal });
  document.addEventListener('dragover', take, { signal });
  document.addEventListener('drop', take, { signal });
}
