/** One line of the table: a ratio to a floor, a growth or a plain figure, with the bound that it must keep. */
export interface Figure {
  readonly row: string
  readonly what: string
  readonly value: number
  /** What it is counted in; `×` unless given. */
  readonly unit?: string
  readonly bound?: number
  /** Growth bounds are hard; a ratio that is missed is reported. */
  readonly isHard?: boolean
}

/** One row of the table in docs/speed.md. */
export interface Row {
  readonly title: string
  /** `isLong`: sizes that take minutes are measured too. */
  run(isLong: boolean): readonly Figure[] | Promise<readonly Figure[]>
}
