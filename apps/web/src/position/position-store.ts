import { present } from '@millrace/core/json'
import type { Store } from '@millrace/react'
import type { PaneName, ViewName } from './panes.ts'

/** A drawn piece of a run. The first of its entries identifies it: one entry begins at most one piece. */
export interface Selection {
  readonly runId: string
  /** A link names a single entry; the piece that holds it is selected. */
  readonly seqs: readonly [first: number, last: number]
  readonly callId?: string
  /** The entry of the piece that the lens shows with its record; absent: the one that says most. */
  readonly entry?: number
}

/** An entry of a run: what follows it is not drawn. */
interface Moment {
  readonly runId: string
  readonly seq: number
}

/** What every view of a thread shows. No view has a position of its own. */
export interface Position {
  /** The piece that is selected in the chat and in every pane. */
  readonly selection?: Selection
  /** The piece below the pointer. It is not in the address. */
  readonly hovered?: Selection
  /** The moment that is shown; absent: the present. */
  readonly at?: Moment
  readonly view: ViewName
  /** Absent: the panes are closed. */
  readonly pane?: PaneName
  /** The file that the code pane or the files pane shows; absent: that of the selection, else the newest. */
  readonly file?: string
  /** The panes show the newest piece. Then nothing is selected, and no moment is chosen. */
  readonly isFollowing: boolean
}

/** The one selection and the one moment of a thread's page. */
export interface PositionStore extends Store<Position> {
  /** Selects a piece, or nothing. A selection ends following, and the file is again that of the selection. */
  select(selection: Selection | undefined): void
  hover(selection: Selection | undefined): void
  /** Shows a moment; undefined: the present. A moment ends following. */
  travel(at: Moment | undefined): void
  show(view: ViewName): void
  /** Opens a pane; undefined: closes them. */
  openPane(pane: PaneName | undefined): void
  openFile(file: string | undefined): void
  /** Following leaves the selection and the moment. */
  follow(isFollowing: boolean): void
  /** What an address says replaces everything but what is hovered. */
  restore(address: PositionFields): void
}

/** The part of a position that an address holds. */
export type PositionFields = Partial<Omit<Position, 'hovered' | 'isFollowing'>>

export function createPositionStore(address: PositionFields = {}): PositionStore {
  const listeners = new Set<() => void>()
  let position = positionOf(address)

  function change(next: Position): void {
    if (isSame(position, next)) return
    position = next
    for (const listener of [...listeners]) listener()
  }

  type Changes = { readonly [Field in keyof Position]?: Position[Field] | undefined }
  const set = (changes: Changes) => change(present({ ...position, ...changes }) as Position)

  return {
    snapshot: () => position,
    subscribe(listener) {
      listeners.add(listener)
      return () => {
        listeners.delete(listener)
      }
    },
    select(selection) {
      if (selection === undefined) set({ selection })
      else set({ selection, file: undefined, isFollowing: false })
    },
    hover: (hovered) => set({ hovered }),
    travel: (at) => set(at === undefined ? { at } : { at, isFollowing: false }),
    show: (view) => set({ view }),
    openPane: (pane) => set({ pane }),
    openFile: (file) => set(file === undefined ? { file } : { file, isFollowing: false }),
    follow(isFollowing) {
      if (isFollowing) set({ isFollowing, selection: undefined, at: undefined, file: undefined })
      else set({ isFollowing })
    },
    restore: (fields) => change(present({ ...positionOf(fields), hovered: position.hovered })),
  }
}

/** An address without a piece, a moment or a file follows the newest piece. */
function positionOf({ view = 'chat', ...fields }: PositionFields): Position {
  const isFixed = fields.selection !== undefined || fields.at !== undefined || fields.file !== undefined
  return { ...fields, view, isFollowing: !isFixed }
}

function isSame(one: Position, other: Position): boolean {
  return (
    one.view === other.view &&
    one.pane === other.pane &&
    one.file === other.file &&
    one.isFollowing === other.isFollowing &&
    one.at?.runId === other.at?.runId &&
    one.at?.seq === other.at?.seq &&
    isSamePiece(one.selection, other.selection) &&
    isSamePiece(one.hovered, other.hovered)
  )
}

function isSamePiece(one: Selection | undefined, other: Selection | undefined): boolean {
  if (one === undefined || other === undefined) return one === other
  return (
    one.runId === other.runId &&
    one.callId === other.callId &&
    one.entry === other.entry &&
    String(one.seqs) === String(other.seqs)
  )
}
