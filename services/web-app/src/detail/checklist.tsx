import { Icon } from '../components/icon.tsx';
import { RoundBox } from '../components/round-box.tsx';
import { MenuButton } from '../menu/menu-button.tsx';
import type { TaskRow } from '../store/row-types.ts';
import { useStore } from '../store/store-context.ts';
import { detailWords as words } from '../words/detail-words.ts';
import { screenWords } from '../words/screen-words.ts';
import { changeItem, newItem, withoutEmpty } from './checklist-edits.ts';
import { GrowingField } from './growing-field.tsx';
import { useChecklist } from './use-checklist.ts';

/** Enter starts the next item, Backspace at its start joins the one above; pasted lines are items. */
export function Checklist({ task, block }: { task: TaskRow; block: string | null }) {
  const store = useStore();
  const { list, items, change, focus, leave, keyDown, paste, menuOf } = useChecklist(task);
  const isWritable = block === null;
  const done = items.filter(({ completed }) => completed).length;
  const total = withoutEmpty(items).length;
  return (
    <section>
      <h2 class="sec-h">
        {words.checklist}
        {total > 0 && <span class="n">{words.checklistProgress(done, total)}</span>}
      </h2>
      <ul ref={list} onFocusIn={focus} onFocusOut={leave}>
        {items.map((item, index) => (
          // What is typed stays in its item when others add, remove or move items above.
          <li key={store.keyOf(item.id ?? String(index))} class={item.completed ? 'check is-done' : 'check'}>
            <RoundBox
              status={item.completed ? 'completed' : 'open'}
              label={item.title}
              disabledReason={block}
              onToggle={() => change(changeItem(items, index, { completed: !item.completed }), null)}
            />
            <GrowingField
              readOnly={!isWritable}
              aria-label={words.item(index + 1)}
              value={item.title}
              onInput={(event) =>
                change(
                  changeItem(items, index, { title: event.currentTarget.value.replaceAll('\n', ' ') }),
                  null,
                  'soon',
                )
              }
              onKeyDown={(event) => isWritable && keyDown(event, index)}
              onPaste={(event) => isWritable && paste(event, index)}
            />
            {isWritable && (
              <MenuButton
                label={screenWords.actionsFor(item.title || words.item(index + 1))}
                items={() => menuOf(index)}
              />
            )}
          </li>
        ))}
      </ul>
      {isWritable && (
        <button
          type="button"
          class="add-row"
          onClick={() => change([...items, newItem('')], { index: items.length, caret: 0 }, 'soon')}
        >
          <Icon name="plus" />
          {words.addItem}
        </button>
      )}
    </section>
  );
}
