import type { InputFile } from '@millrace/core/client'
import { useEffect, useRef, useState } from 'react'
import type { Labels } from '../labels.ts'
import { numberText } from '../numbers.ts'
import { useViewContext } from '../view-context.ts'

/** A file that goes with the next message. It is uploaded as soon as it is added. */
export interface Attachment {
  readonly key: number
  readonly name: string
  /** Absent if it was uploaded for a message that could not be sent elsewhere. */
  readonly size?: number
  /** The picture itself, from this browser; absent if it is no picture. */
  readonly preview?: string
  /** Present when it is uploaded. */
  readonly file?: InputFile
  /** Why it is not uploaded. */
  readonly trouble?: string
}

export interface Attachments {
  readonly all: readonly Attachment[]
  /** Why files were not added, as a sentence. */
  readonly refusal: string | undefined
  readonly add: (files: readonly File[]) => void
  readonly remove: (key: number) => void
  /** Adds files that are uploaded already. */
  readonly restore: (files: readonly InputFile[]) => void
  /** Removes all of them and returns a function that puts them back. */
  readonly takeAll: () => () => void
}

export const MOST_FILES = 20
/** What a server takes by default. One that takes less answers with a sentence. */
export const MOST_BYTES = 64 * 1024 * 1024

const PICTURES = /^image\/(?:png|jpeg|gif|webp|avif)$/

/** Stores a file and says under which id. Rejects if it does not. */
export type Upload = (file: File) => Promise<InputFile>

/** The files of a message that is being written. `describe` puts an error into words. */
export function useAttachments(upload: Upload | undefined, describe: (error: unknown) => string): Attachments {
  const { labels } = useViewContext()
  const [all, setAll] = useState<readonly Attachment[]>([])
  const [refusal, setRefusal] = useState<string>()
  const nextKey = useRef(0)
  const previews = useRef(new Set<string>())
  useEffect(
    () => () => {
      for (const preview of previews.current) URL.revokeObjectURL(preview)
    },
    [],
  )

  function previewOf(file: File): { readonly preview?: string } {
    if (!PICTURES.test(file.type)) return {}
    const preview = URL.createObjectURL(file)
    previews.current.add(preview)
    return { preview }
  }

  async function store(key: number, body: File): Promise<void> {
    const patch = (fields: Partial<Attachment>) =>
      setAll((before) => before.map((each) => (each.key === key ? { ...each, ...fields } : each)))
    try {
      const stored = await upload?.(body)
      if (stored !== undefined) patch({ file: stored })
    } catch (error) {
      patch({ trouble: describe(error) })
    }
  }

  return {
    all,
    refusal,
    add(files) {
      const fitting = files.filter(({ size }) => size <= MOST_BYTES)
      const added = fitting.slice(0, Math.max(0, MOST_FILES - all.length))
      setRefusal(refusalOf(files.length - fitting.length, fitting.length - added.length, labels))
      const entries = added.map((file) => ({ file, key: nextKey.current++ }))
      setAll((before) => [
        ...before,
        ...entries.map(({ file, key }): Attachment => {
          const { name, size } = file
          return { key, name, size, ...previewOf(file) }
        }),
      ])
      for (const { key, file } of entries) void store(key, file)
    },
    remove(key) {
      setRefusal(undefined)
      setAll((before) => before.filter((each) => each.key !== key))
    },
    restore(files) {
      const restored = files.map((file) => ({ key: nextKey.current++, name: file.filename ?? file.mediaType, file }))
      setAll((before) => [...before, ...restored])
    },
    takeAll() {
      const taken = all
      setRefusal(undefined)
      setAll([])
      // What was added meanwhile stays.
      return () => setAll((since) => [...taken, ...since])
    },
  }
}

function refusalOf(tooLarge: number, tooMany: number, labels: Labels): string | undefined {
  const sentence = (count: number, label: Labels['filesTooLarge'], most: number) =>
    count > 0 ? [label(count, numberText(count, labels), numberText(most, labels))] : []
  const sentences = [
    ...sentence(tooLarge, labels.filesTooLarge, MOST_BYTES / 1024 / 1024),
    ...sentence(tooMany, labels.filesTooMany, MOST_FILES),
  ]
  return sentences.length === 0 ? undefined : sentences.join(' ')
}
