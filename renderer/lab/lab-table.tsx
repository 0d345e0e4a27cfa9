import type { ComponentChildren, VNode } from 'preact';
import { Failure, Hollow, Skeletons } from './lab-parts.tsx';
import { useLab } from './use-lab.ts';

interface LabHeadProps {
  readonly title: string;
  readonly note?: ComponentChildren;
  /** Buttons for the whole part. */
  readonly children?: ComponentChildren;
}

/** The head of a part of the lab: what it is, and buttons for the whole part. */
export function LabHead({ title, note, children }: LabHeadProps) {
  return (
    <div class="lab-head">
      <div class="lab-intro">
        <h2 class="title">{title}</h2>
        {note}
      </div>
      {children}
    </div>
  );
}

interface LabTableProps<Row> extends LabHeadProps {
  readonly actions?: ComponentChildren;
  /** Null until the rows were read. */
  readonly rows: readonly Row[] | null;
  /** What is shown when there is no row. */
  readonly empty: { readonly title: string; readonly next: string };
  readonly look?: 'rows' | 'log';
  /** One row, with its key. */
  readonly row: (row: Row) => VNode;
}

/** One kind of thing in the sandbox, one row each. The filters are between head and rows. */
export function LabTable<Row>({ title, note, actions, rows, empty, look = 'rows', row, children }: LabTableProps<Row>) {
  const { words } = useLab();
  const List = look === 'log' ? 'ol' : 'ul';
  return (
    <div class="lab-panel">
      <LabHead title={title} note={note}>
        {actions}
      </LabHead>
      {children}
      <Failure />
      {rows === null && <Skeletons label={words.loading} />}
      {rows?.length === 0 && <Hollow title={empty.title} next={empty.next} />}
      {rows !== null && rows.length > 0 && <List class={`lab-${look} panel stack`}>{rows.map(row)}</List>}
    </div>
  );
}
