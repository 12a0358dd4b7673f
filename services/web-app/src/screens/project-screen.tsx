import { useMemo } from 'preact/hooks';
import { EmptyState } from '../components/empty-state.tsx';
import { Icon } from '../components/icon.tsx';
import { ProgressRing } from '../components/project-ring.tsx';
import { WriteButton } from '../components/write-button.tsx';
import { GoneNote } from '../detail/gone-note.tsx';
import { ProjectNotes } from '../detail/project-notes.tsx';
import { askToComplete, projectMenu, sectionMenu } from '../frame/list-menus.ts';
import { askForName, newList } from '../frame/new-list.ts';
import { type ListGroup, plainEdge, taskRefs } from '../list/list-group.ts';
import { TaskGrid } from '../list/task-grid.tsx';
import { TitleInput } from '../list/title-input.tsx';
import { useRenaming } from '../list/use-renaming.tsx';
import { MenuButton } from '../menu/menu-button.tsx';
import { openOverlay } from '../overlays/overlay.ts';
import { EarlierDone } from '../records/earlier-done.tsx';
import { hrefOf } from '../router.ts';
import { viewProject } from '../store/project-view.ts';
import type { ProjectRow } from '../store/row-types.ts';
import { useStore } from '../store/store-context.ts';
import { actionLabels } from '../words/key-words.ts';
import { projectWords as words } from '../words/project-words.ts';
import { screenWords } from '../words/screen-words.ts';
import { ListHead } from './list-head.tsx';
import { NothingHere } from './nothing-here.tsx';
import { GroupHeading, PageHead, useFoldedGroup } from './page-head.tsx';

export function ProjectScreen({ id }: { id: string }) {
  const store = useStore();
  const project = store.rows.projects.row(id).value;
  if (project === undefined) return <NothingHere />;
  if (project.inTrash) {
    return (
      <>
        <PageHead title={project.title} />
        <GoneNote entity="project" id={project.id} />
      </>
    );
  }
  return (
    <>
      <ProjectHead project={project} />
      <ProjectTasks project={project} />
    </>
  );
}

function ProjectHead({ project }: { project: ProjectRow }) {
  const store = useStore();
  const { id, title, areaId, deadlineDate } = project;
  const area = store.rows.areas.row(areaId ?? '').value;
  const { open, closed } = store.views.progress(id).value;
  const isActive = project.status === 'active';
  const showsProgress = isActive && open + closed > 0;
  const today = store.today.value;
  const deadline = isActive ? deadlineDate : null;
  const toggle = () => {
    if (isActive) askToComplete(store, id);
    else store.commands.uncompleteProject(id);
  };
  return (
    <div class="p-head">
      <ListHead
        title={title}
        menu={(rename) => projectMenu(store, project, rename)}
        onRename={(next) => store.commands.patchProject(id, { title: next })}
      >
        <WriteButton
          class="ring-button"
          label={isActive ? words.completeNamed(title) : words.reopenNamed(title)}
          onPress={toggle}
        >
          <ProgressRing id={id} isClosed={!isActive} />
        </WriteButton>
      </ListHead>
      {(area !== undefined || deadline !== null || showsProgress || !isActive) && (
        <div class="facts">
          {!isActive && (
            <span class="chip who-did">
              <Icon name={project.status === 'completed' ? 'check' : 'x'} small />
              {project.status === 'completed' ? words.completed : words.cancelled}
            </span>
          )}
          {deadline !== null && (
            <WriteButton
              class={`chip${deadline <= today ? ' late' : ''}`}
              onPress={() => openOverlay({ kind: 'projectDeadline', id })}
            >
              <Icon name="flag" small />
              <span class="vh">{words.deadlineName}: </span>
              {words.deadlineBothWays(deadline, today)}
            </WriteButton>
          )}
          {showsProgress && <span class="chip">{words.progress(open, closed)}</span>}
          {area !== undefined && (
            <a class="chip" href={hrefOf({ screen: 'area', id: area.id })} dir="auto">
              <span class="vh">{words.area}: </span>
              <span class="cut">{area.title}</span>
            </a>
          )}
        </div>
      )}
      <ProjectNotes id={id} />
    </div>
  );
}

function ProjectTasks({ project }: { project: ProjectRow }) {
  const store = useStore();
  const { id } = project;
  const { views, rows } = store;
  const { root, sections, done } = useMemo(
    () => views.of((input) => viewProject(input, rows.sections.all(), id)),
    [views, rows, id],
  ).value;
  const { closed } = store.views.progress(id).value;
  const folded = useFoldedGroup(words.done, taskRefs(done), closed);
  const isActive = project.status === 'active';
  const placeOf = (sectionId: string | null): ListGroup['place'] =>
    isActive ? { kind: 'list', destination: { projectId: id, sectionId } } : undefined;
  const groups: ListGroup[] = [
    {
      key: 'root',
      title: project.title,
      rows: taskRefs(root),
      place: placeOf(null),
      isOrdered: true,
      footer: isActive ? { kind: 'add', element: <AddTask projectId={id} last={root.at(-1)} /> } : undefined,
    },
    ...sections.map((section): ListGroup => {
      const title = store.rows.sections.row(section.id).value?.title ?? '';
      return {
        key: store.keyOf(section.id),
        title,
        heading: plainEdge(<SectionHeading id={section.id} count={section.ids.length} />),
        rows: taskRefs(section.ids),
        place: placeOf(section.id),
        isOrdered: true,
      };
    }),
  ];
  const added = newList.value;
  const addSection = (title: string | null) => {
    if (newList.value === added) newList.value = null;
    if (title !== null) store.commands.addSection(id, title);
  };
  if (isActive) {
    const element = (
      <>
        {added?.kind === 'section' && store.idOf(added.projectId) === id && (
          <TitleInput title="" label={words.newSection} onEnd={addSection} />
        )}
        <WriteButton class="more" onPress={() => askForName({ kind: 'section', projectId: id })}>
          <Icon name="plus" small />
          {words.newSection}
        </WriteButton>
      </>
    );
    groups.push({ key: 'new-section', title: '', rows: [], footer: { kind: 'more', element } });
  }
  groups.push(...folded.groups);
  return (
    <>
      {root.length + sections.length + closed === 0 && (
        <EmptyState
          title={isActive ? words.empty.open : words.empty.closed}
          {...(isActive && { hint: words.empty.hint })}
        />
      )}
      <TaskGrid label={project.title} groups={groups} />
      {folded.isOpen && <EarlierDone projectId={id} shown={done} />}
    </>
  );
}

function AddTask({ projectId, last }: { projectId: string; last: string | undefined }) {
  const below = last === undefined ? null : ({ id: last, scope: 'list' } as const);
  const list = { place: { projectId, sectionId: null }, dueDate: null, isSomeday: false, below };
  return (
    <button type="button" class="add-row" onClick={() => openOverlay({ kind: 'quick-add', list })}>
      <Icon name="plus" />
      {actionLabels.add}
    </button>
  );
}

function SectionHeading({ id, count }: { id: string; count: number }) {
  const store = useStore();
  const section = store.rows.sections.row(id).value;
  const { field, rename } = useRenaming(section?.title ?? '', (title) => {
    if (store.rows.sections.find(id) === undefined) store.notices.toast(words.notSaved(title));
    else store.commands.renameSection(id, title);
  });
  if (section === undefined) return null;
  return (
    <GroupHeading title={field || section.title} count={count}>
      <MenuButton
        label={screenWords.actionsFor(section.title)}
        items={() => sectionMenu(store, section, rename)}
      />
    </GroupHeading>
  );
}
