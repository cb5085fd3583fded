import { present } from '../../data/present.ts'
import { remember, rememberOne } from '../../data/remember.ts'
import type { JsonObject } from '../../json.ts'
import { isEmpty } from '../kit/keep.ts'
import { createVoice, type Out, type Voice } from '../kit/voice.ts'
import { isPlainText, type Parts, textOfParts } from './parts.ts'
import type { Artifact } from './results.ts'

/** What an agent makes: the answer, mostly. An artifact grows chunk by chunk, or is sent whole, and again when it changed. */
export interface Artifacts {
  /** Adds parts to an artifact. */
  append(out: Out, artifact: Artifact): void
  /** The artifact as it is now: what it has in addition is added, another text replaces the one that was sent. */
  snapshot(out: Out, artifact: Artifact): void
  end(out: Out, artifact: Artifact): void
  /** The task is over, or waits: servers need not mark the last chunk of an artifact. */
  endAll(out: Out): void
  /** The texts of the artifacts so far. */
  texts(): readonly string[]
}

interface Made {
  readonly voice: Voice
  /** Its text so far, and how much of it is before the open block. */
  text: string
  endedLength: number
  /** Files, data and calls that were drawn. */
  readonly others: Set<string>
  more: string
}

const MOST_OTHERS = 256

export function createArtifacts(parts: Parts): Artifacts {
  const all = new Map<string, Made>()

  function made(id: string): Made {
    const existing = all.get(id)
    if (existing !== undefined) return existing
    const voice = createVoice((kind, number) => `${id}:${kind}-${number}`)
    return remember(all, id, { voice, text: '', endedLength: 0, others: new Set(), more: '{}' })
  }

  function add(out: Out, artifact: Artifact, added: readonly JsonObject[]): void {
    const { id, name, more } = artifact
    const kept = made(id)
    const { voice } = kept
    for (const part of added) {
      const { openId } = voice
      parts.add(out, [part], { id, voice, name })
      if (voice.openId !== openId) kept.endedLength = kept.text.length
      kept.text += textOfParts([part])
      if (!isPlainText(part)) rememberOne(kept.others, JSON.stringify(part), MOST_OTHERS)
    }
    const fields = { ...present({ name }), ...more }
    if (isEmpty(fields)) return
    const about = JSON.stringify(fields)
    if (about === kept.more) return
    kept.more = about
    out.push({ type: 'metadata', metadata: { [`artifact ${id}`]: JSON.parse(about) } })
  }

  return {
    append: (out, artifact) => add(out, artifact, artifact.parts),
    snapshot(out, artifact) {
      const kept = made(artifact.id)
      const text = textOfParts(artifact.parts)
      const isFirst = kept.text === '' && kept.others.size === 0
      if (isFirst) return add(out, artifact, artifact.parts)
      const others = artifact.parts.filter((part) => !isPlainText(part) && !kept.others.has(JSON.stringify(part)))
      if (text.startsWith(kept.text)) {
        const rest = text.slice(kept.text.length)
        return add(out, artifact, [...(rest === '' ? [] : [{ text: rest }]), ...others])
      }
      const blockId = kept.voice.openOf('text')
      if (blockId !== undefined && text.startsWith(kept.text.slice(0, kept.endedLength))) {
        out.push({ type: 'block-patch', blockId, text: text.slice(kept.endedLength) })
        kept.text = text
        return add(out, artifact, others)
      }
      // What it was before stays: its block has ended.
      kept.voice.pause(out)
      kept.text = ''
      add(out, artifact, [...(text === '' ? [] : [{ text }]), ...others])
    },
    end: (out, { id }) => made(id).voice.pause(out),
    endAll(out) {
      for (const { voice } of all.values()) voice.pause(out)
    },
    texts: () => [...all.values()].flatMap(({ text }) => (text === '' ? [] : [text])),
  }
}
