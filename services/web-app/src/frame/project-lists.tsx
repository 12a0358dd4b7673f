import { Icon } from '../components/icon.tsx';
import { ProgressRing } from '../components/project-ring.tsx';
import { WriteButton } from '../components/write-button.tsx';
import { TitleInput } from '../list/title-input.tsx';
import { useRenaming } from '../list/use-renaming.tsx';
import { laterParts } from '../loading/load-later.tsx';
import { MenuButton } from '../menu/menu-button.tsx';
import { hrefOf, navigate } from '../router.ts';
import { useStore } from '../store/store-context.ts';
import { listWords } from '../words/list-words.ts';
import { screenWords as words } from '../words/screen-words.ts';
import { isPresent } from './nav-item.tsx';
import { askForName, type ListsPlace, newList } from './new-list.ts';

export function ProjectLists({ place }: { place: ListsPlace }) {
  const store = useStore();
  const named = newList.value;
  const added = named === null || named.kind === 'section' || named.place !== place ? null : named;
  const addNew = async (title: string | null) => {
    if (newList.value === added) newList.value = null;
    if (title === null || added === null) return;
    if (added.kind === 'area') {
      store.commands.addArea(title);
      return;
    }
    // The focus moves from the button to the project.
    document.getElementById('main')?.focus();
    const id = store.commands.addProject({ title, areaId: added.areaId });
    await store.settled();
    navigate({ screen: 'project', id });
  };
  const list = (areaId: string | null) => (
    <ul>
      {store.views.area(areaId).value.open.map((id) => (
        <ProjectItem key={store.keyOf(id)} id={id} />
      ))}
    </ul>
  );
  const field = (areaId: string | null) =>
    added?.areaId === areaId && (
      <TitleInput title="" label={added.kind === 'area' ? words.newArea : words.newProject} onEnd={addNew} />
    );
  return (
    <>
      {store.views.areas.value.map((id) => (
        <div key={store.keyOf(id)} class="nav group">
          <AreaHeading id={id} onNewProject={() => askForName({ kind: 'project', areaId: id, place })} />
          {field(id)}
          {list(id)}
          {/* Else it seemed to hold the projects without an area, which follow. */}
          {store.views.area(id).value.open.length === 0 && <p class="side-none">{words.empty.area}</p>}
        </div>
      ))}
      <div class="nav group">{list(null)}</div>
      <div class="nav group">
        {field(null)}
        <ul>
          {(['project', 'area'] as const).map((kind) => (
            <li key={kind}>
              <WriteButton class="nav-button muted" onPress={() => askForName({ kind, areaId: null, place })}>
                <Icon name="plus" />
                <span class="cut">{kind === 'area' ? words.newArea : words.newProject}</span>
              </WriteButton>
            </li>
          ))}
        </ul>
      </div>
    </>
  );
}

function ProjectItem({ id }: { id: string }) {
  const store = useStore();
  const project = store.rows.projects.row(id).value;
  const save = (title: string) => store.commands.patchProject(id, { title });
  const { field, rename } = useRenaming(project?.title ?? '', save);
  if (project === undefined) return null;
  const { open } = store.views.progress(id).value;
  const today = store.today.value;
  const { deadlineDate: date } = project;
  const due =
    date !== null && date <= today ? `${listWords.deadlineName} ${listWords.deadline(date, today)}` : null;
  const route = { screen: 'project', id } as const;
  return (
    <li data-entity="project" data-drop="project" data-drop-id={id}>
      {field || (
        <a href={hrefOf(route)} aria-current={isPresent(route) ? 'page' : undefined} draggable={false}>
          <ProgressRing id={id} />
          <span class="cut" dir="auto">
            {project.title}
          </span>
          {due !== null && (
            <span class="n late" title={due}>
              <Icon name="flag" small />
              <span class="vh">{due}</span>
            </span>
          )}
          {open > 0 && <span class="n">{open}</span>}
        </a>
      )}
      <MenuButton
        class="side-act"
        label={words.actionsFor(project.title)}
        items={() => laterParts.present.value?.projectMenu(store, project, rename) ?? []}
      />
    </li>
  );
}

function AreaHeading({ id, onNewProject }: { id: string; onNewProject: () => void }) {
  const store = useStore();
  const area = store.rows.areas.row(id).value;
  const save = (title: string) => store.commands.renameArea(id, title);
  const { field, rename } = useRenaming(area?.title ?? '', save);
  if (area === undefined) return null;
  const route = { screen: 'area', id } as const;
  return (
    <div class="area" data-drop="area" data-drop-id={id}>
      {field || (
        <a href={hrefOf(route)} aria-current={isPresent(route) ? 'page' : undefined}>
          <span class="cut" dir="auto">
            {area.title}
          </span>
        </a>
      )}
      <MenuButton
        class="side-act"
        label={words.actionsFor(area.title)}
        items={() => laterParts.present.value?.areaMenu(store, area, rename, onNewProject) ?? []}
      />
    </div>
  );
}
