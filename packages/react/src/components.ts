import type { Segment, SegmentOf, SegmentType } from '@millrace/core/fold'
import type { ComponentType, ReactNode } from 'react'
import { bareNameOf } from './tools/kinds.ts'

/** What a component for a segment gets. `fallback` is the view of this package: draw it to wrap it. */
export interface SegmentProps<Type extends SegmentType> {
  readonly segment: SegmentOf<Type>
  readonly fallback: ReactNode
}

/** A code block of a text. */
export interface CodeProps {
  readonly code: string
  /** The word after the fence: a language, a file name, or nothing. */
  readonly language: string
  /** The block is still being written. */
  readonly isLive?: boolean
}

/** An image that this page may load: its own bytes, or a file that the server stores. */
export interface ImageProps {
  readonly url: string
  readonly name: string
  /** `1.1 KB`, if it is known. */
  readonly size: string | undefined
}

/** A link. The address is checked: only the web, mail, and files that the server stores. */
export interface LinkProps {
  readonly href: string
  readonly children: ReactNode
  /** The look that a chip has; absent for a link in a text. */
  readonly className?: string | undefined
  readonly title?: string | undefined
}

/** A text of the agent or the user, as markdown. */
export interface MarkdownProps {
  readonly text: string
  /** The text is still growing. */
  readonly isLive: boolean
}

/** Components of the host. Each replaces a view of this package; one that throws is replaced by that view. */
export interface Components {
  /** By the tool's name as the agent wrote it, or without the prefix of its server. */
  readonly tool?: { readonly [name: string]: ComponentType<SegmentProps<'tool'>> }
  readonly segment?: { readonly [Type in SegmentType]?: ComponentType<SegmentProps<Type>> }
  readonly code?: ComponentType<CodeProps>
  readonly image?: ComponentType<ImageProps>
  readonly link?: ComponentType<LinkProps>
  readonly markdown?: ComponentType<MarkdownProps>
}

type SegmentComponent = ComponentType<SegmentProps<SegmentType>>

/** The host's component for a segment: by the tool's whole name, by its bare name, by the type. */
export function componentFor(segment: Segment, { tool = {}, segment: byType = {} }: Components) {
  // Outside of any boundary: a name that is no text must lose its own card only.
  const isNamed = segment.type === 'tool' && typeof segment.name === 'string'
  const names = isNamed ? [segment.name, bareNameOf(segment.name)] : []
  const name = names.find((each) => Object.hasOwn(tool, each))
  const found = name === undefined ? ownMember(byType, segment.type) : tool[name]
  return found as SegmentComponent | undefined
}

/** A segment of a type that is not known here may be called `constructor`. */
function ownMember<Table extends object>(table: Table, key: keyof Table): Table[keyof Table] | undefined {
  return Object.hasOwn(table, key) ? table[key] : undefined
}
