import type { ComponentProps } from 'react'

interface GridPartProps extends ComponentProps<'div'> {
  readonly role: 'grid' | 'treegrid' | 'rowgroup' | 'row' | 'gridcell' | 'columnheader' | 'rowheader'
}

/** A part of a grid. A table element would have to contain all its rows, and only those in view exist. */
export const GridPart = ({ role, ...attributes }: GridPartProps) => <div role={role} {...attributes} />
