import type { Artifact, Visit } from '@millrace/core/work'
import type { IconName } from '../../icon.tsx'

/** Something on the shelf: what the agent made, or a page that it visited. */
export type ShelfItem =
  | { readonly kind: 'artifact'; readonly id: string; readonly artifact: Artifact }
  | { readonly kind: 'visit'; readonly id: string; readonly visit: Visit }

export function itemsOf(artifacts: readonly Artifact[], visits: readonly Visit[]): readonly ShelfItem[] {
  return [
    ...artifacts.map((artifact) => ({ kind: 'artifact' as const, id: artifact.id, artifact })),
    ...visits.map((visit) => ({ kind: 'visit' as const, id: visit.url, visit })),
  ]
}

interface Wanted {
  /** The file that was opened. */
  readonly file: string | undefined
  /** The call at which the panes stand. */
  readonly callId: string | undefined
  readonly isFollowing: boolean
}

/** What is shown: what was opened, else what the current call made, else what was made last. */
export function shownItem(items: readonly ShelfItem[], { file, callId, isFollowing }: Wanted): ShelfItem | undefined {
  const opened = items.find(({ id }) => id === file)
  const ofCall = isFollowing
    ? undefined
    : items.findLast((item) => madeBy(item).callId === callId && callId !== undefined)
  return opened ?? ofCall ?? newest(items)
}

/** Artifacts first: a page that was read is a means. */
function newest(items: readonly ShelfItem[]): ShelfItem | undefined {
  const made = items.filter(({ kind }) => kind === 'artifact')
  const latest = (one: ShelfItem, other: ShelfItem) => (madeBy(other).seqs[1] >= madeBy(one).seqs[1] ? other : one)
  const all = made.length > 0 ? made : items
  const [first] = all
  return first === undefined ? undefined : all.reduce(latest, first)
}

export const madeBy = (item: ShelfItem): Artifact | Visit => (item.kind === 'artifact' ? item.artifact : item.visit)

export function nameOf(item: ShelfItem): string {
  return item.kind === 'artifact'
    ? item.artifact.name
    : item.visit.url.replace(/^https?:\/\/(?:www\.)?/, '').replace(/\/$/, '')
}

/** The whole path of a written file. */
export function titleOf(item: ShelfItem): string {
  if (item.kind === 'visit') return item.visit.url
  return item.artifact.text === undefined ? item.artifact.name : item.artifact.id
}

/** How a file is shown. */
export type Look = 'page' | 'image' | 'markdown' | 'table' | 'text' | 'none'

const looksOfTypes: { readonly [type: string]: Look } = {
  'text/html': 'page',
  'text/markdown': 'markdown',
  'text/csv': 'table',
}

export function lookOf(artifact: Artifact): Look {
  if (imageUrl(artifact) !== undefined) return 'image'
  if (textOf(artifact) === undefined) return 'none'
  return looksOfTypes[baseType(artifact)] ?? 'text'
}

const baseType = ({ mediaType }: Artifact) => mediaType.split(';')[0]?.trim().toLowerCase() ?? ''

/** Images that a browser decodes without running anything. As the source of an image, an SVG is one of them. */
const INERT_IMAGE = /^image\/(?:png|jpeg|gif|webp|avif|svg\+xml)$/

/** The address of an image whose bytes the stream holds, or that the server stores. An image elsewhere is not fetched. */
export function imageUrl(artifact: Artifact): string | undefined {
  const { url, bytes, text } = artifact
  const type = baseType(artifact)
  if (!INERT_IMAGE.test(type)) return undefined
  if (bytes !== undefined) return `data:${type};base64,${bytes}`
  if (text !== undefined) return `data:${type};charset=utf-8,${encodeURIComponent(text)}`
  return url?.startsWith('data:image/') || url?.startsWith('/api/files/') ? url : undefined
}

const TEXT = /^(?:text\/|application\/(?:json|xml|yaml|x-yaml|javascript|toml)\b|image\/svg\+xml$)|\+(?:json|xml)$/

/** The text of a file that is one. */
export function textOf(artifact: Artifact): string | undefined {
  if (artifact.text !== undefined) return artifact.text
  if (artifact.bytes === undefined || !TEXT.test(baseType(artifact))) return undefined
  try {
    const bytes = Uint8Array.from(atob(artifact.bytes), (character) => character.charCodeAt(0))
    return new TextDecoder().decode(bytes)
  } catch {
    return undefined
  }
}

/** The number of bytes, if the stream holds them. */
export function sizeOf({ text, bytes }: Artifact): number | undefined {
  if (text !== undefined) return new TextEncoder().encode(text).length
  if (bytes === undefined) return undefined
  return Math.floor((bytes.length * 3) / 4) - (bytes.endsWith('==') ? 2 : bytes.endsWith('=') ? 1 : 0)
}

const glyphsOfLooks: { readonly [Each in Look]: IconName } = {
  page: 'globe',
  image: 'file',
  markdown: 'list',
  table: 'runs',
  text: 'file',
  none: 'file',
}

export const glyphOf = (item: ShelfItem): IconName =>
  item.kind === 'visit' ? 'globe' : glyphsOfLooks[lookOf(item.artifact)]
