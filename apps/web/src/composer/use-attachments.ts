import type { InputFile } from '@millrace/core/client'
import { useEffect, useRef, useState } from 'react'
import { useApp } from '../app-context.ts'
import { troubleText } from '../trouble.ts'

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

/** The files of a message that is being written. */
export function useAttachments(): Attachments {
  const { api } = useApp()
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

  async function upload(key: number, body: File): Promise<void> {
    const { name, type } = body
    const patch = (fields: Partial<Attachment>) =>
      setAll((before) => before.map((each) => (each.key === key ? { ...each, ...fields } : each)))
    try {
      const stored = await api.uploadFile({ body, mediaType: type || 'application/octet-stream', filename: name })
      patch({ file: { id: stored.id, mediaType: stored.mediaType, filename: name } })
    } catch (error) {
      patch({ trouble: troubleText(error) })
    }
  }

  return {
    all,
    refusal,
    add(files) {
      const fitting = files.filter(({ size }) => size <= MOST_BYTES)
      const added = fitting.slice(0, Math.max(0, MOST_FILES - all.length))
      setRefusal(refusalOf(files.length - fitting.length, fitting.length - added.length))
      const entries = added.map((file) => ({ file, key: nextKey.current++ }))
      setAll((before) => [
        ...before,
        ...entries.map(({ file, key }): Attachment => {
          const { name, size } = file
          return { key, name, size, ...previewOf(file) }
        }),
      ])
      for (const { key, file } of entries) void upload(key, file)
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

function refusalOf(tooLarge: number, tooMany: number): string | undefined {
  const sentences = [
    ...(tooLarge > 0 ? [`${countOf(tooLarge)} not added: a file has at most ${MOST_BYTES / 1024 / 1024} MB.`] : []),
    ...(tooMany > 0 ? [`${countOf(tooMany)} not added: a message has at most ${MOST_FILES} files.`] : []),
  ]
  return sentences.length === 0 ? undefined : sentences.join(' ')
}

const countOf = (count: number) => (count === 1 ? '1 file was' : `${count} files were`)
