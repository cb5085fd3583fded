import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { type Recording, recordingFile, recordingFiles, recordingsIn } from '../src/recordings.ts'

// The recordings of this repository. It is no part of the package.

/** Formats whose recordings are in corpus folders of other names. */
const CORPUS_FOLDERS: { readonly [format: string]: readonly string[] } = {
  'ai-sdk': ['ai-sdk-ui'],
  langgraph: ['langgraph', 'deepagents'],
}

const fixturesFolder = fileURLToPath(new URL('../../../fixtures', import.meta.url))

/** Recordings that are correctly detected as another format than their folder's, each with the reason. */
const detectedAs: {
  readonly [recording: string]: { readonly format: string | null; readonly reason: string } | undefined
} = JSON.parse(readFileSync(join(fixturesFolder, 'detected-as.json'), 'utf8'))

/** The recordings of a format in this repository. */
export function fixturesOf(name: string): readonly Recording[] {
  return recordingsIn(join(fixturesFolder, name)).map((recording) => {
    const declared = detectedAs[recording.name]
    return {
      ...recording,
      isWrittenByMillrace: recording.name.includes('/written-'),
      ...(declared !== undefined && { detectedAs: declared.format }),
    }
  })
}

/** The names of all fixture folders. */
export function fixtureFolders(): readonly string[] {
  return subfoldersOf(fixturesFolder)
}

function subfoldersOf(folder: string): readonly string[] {
  return readdirSync(folder, { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map((entry) => entry.name)
}

/** Recordings of a format from the corpus, or why there are none. */
export type Corpus = { readonly recordings: readonly Recording[] } | { readonly absent: string }

export function corpusOf(format: string): Corpus {
  const roots = corpusRoots()
  if (roots.length === 0) return { absent: 'MILLRACE_CORPUS names no folder' }
  const recordings = roots.flatMap((root) =>
    foldersOf(format).flatMap((folder) => corpusFolder(join(root, folder), folder)),
  )
  return recordings.length === 0 ? { absent: `the corpus has no recordings of ${format}` } : { recordings }
}

/** The folders of the corpus that contain recordings of none of these formats. */
export function unreadFolders(formats: readonly string[]): readonly string[] {
  const read = new Set(formats.flatMap(foldersOf))
  const folders = corpusRoots().filter(existsSync).flatMap(subfoldersOf)
  return [...new Set(folders)].filter((folder) => !read.has(folder)).sort()
}

/** `MILLRACE_CORPUS` is a list of folders, separated as in `PATH`. */
function corpusRoots(): readonly string[] {
  return (process.env.MILLRACE_CORPUS ?? '').split(delimiter).filter((root) => root !== '')
}

const foldersOf = (format: string): readonly string[] => CORPUS_FOLDERS[format] ?? [format]

/** If a stream is stored both as server-sent events and as records, its bytes are the server-sent events. */
function corpusFolder(folder: string, name: string): Recording[] {
  const files = existsSync(folder) ? recordingFiles(folder) : []
  const fileNames = new Set(files)
  return files
    .filter((file) => !file.endsWith('.sse') || !fileNames.has(file.replace(/sse$/, 'jsonl')))
    .map((file) => {
      const recording = whole(recordingFile(join(folder, file), `${name}/${file}`))
      const sseFile = file.replace(/jsonl$/, 'sse')
      if (sseFile === file || !fileNames.has(sseFile)) return recording
      return { ...recording, bytes: readFileSync(join(folder, sseFile)), framing: 'sse' as const }
    })
}

/**
 * What is no stream is rightly not detected: a stream that somebody has put into one JSON object over several lines, and an
 * excerpt of a document that was stored as server-sent events without having one.
 */
function whole(recording: Recording): Recording {
  const text = new TextDecoder().decode(recording.bytes).trim()
  const isObject = text.startsWith('{\n') && text.endsWith('\n}')
  const isProse = recording.framing === 'sse' && !/^data:/m.test(text) && !/^\s*[[{]/.test(text)
  return isObject || isProse ? { ...recording, detectedAs: null } : recording
}
