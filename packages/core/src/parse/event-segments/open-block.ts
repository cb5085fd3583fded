import type { StreamEvent } from '../../events.ts'

/** A block of a message, and its text so far. */
export interface Block {
  readonly id: string
  text: string
}

/** Whoever speaks has at most one block open, of whichever kind. */
export interface Speaker {
  open: Block | undefined
}

/** Another segment begins: the block that was open is over. */
export function switchTo(speaker: Speaker | undefined, block: Block | undefined): StreamEvent[] {
  if (speaker === undefined || speaker.open === block) return []
  const { open } = speaker
  speaker.open = block
  return open === undefined ? [] : [{ type: 'block-end', blockId: open.id }]
}
