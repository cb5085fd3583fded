import { constants } from 'node:fs'
import { mkdir, open, readdir, readFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { defineTool, type Tool } from '../tool.ts'
import { confinedPath, fileStats, shortPath } from './confined-path.ts'

/** More would fill the context of a model. */
const MOST_CHARACTERS = 256 * 1024
const LARGEST_FILE = 16 * 1024 * 1024
const MOST_ENTRIES = 1000
const MOST_DEPTH = 10
/** Folders that hold what others have made. */
const NOT_ENTERED: ReadonlySet<string> = new Set(['.git', 'node_modules'])

const text = (description: string) => ({ type: 'string', description }) as const
const count = (description: string) => ({ type: 'integer', minimum: 1, description }) as const
const PATH = text('Path of the file, in the working folder.')

export const readFileTool: Tool<{ readonly path: string; readonly from?: number; readonly lines?: number }> =
  defineTool({
    id: 'read_file',
    description: 'Reads a text file of the working folder, whole or some of its lines.',
    input: {
      type: 'object',
      properties: { path: PATH, from: count('The first line, from 1.'), lines: count('How many lines.') },
      required: ['path'],
    },
    async call({ path, from, lines }, ctx) {
      const content = await contentOf(await confinedPath(ctx.cwd, path), path)
      if (from === undefined && lines === undefined) return bounded(content)
      const first = (from ?? 1) - 1
      return bounded(
        content
          .split('\n')
          .slice(first, lines === undefined ? undefined : first + lines)
          .join('\n'),
      )
    },
  })

export const writeFileTool: Tool<{ readonly path: string; readonly content: string }> = defineTool({
  id: 'write_file',
  description: 'Writes a text file of the working folder, in place of the one that is there. Makes its folders.',
  input: {
    type: 'object',
    properties: { path: PATH, content: text('The whole content.') },
    required: ['path', 'content'],
  },
  approve: true,
  async call({ path, content }, ctx) {
    const target = await confinedPath(ctx.cwd, path)
    await mkdir(dirname(target), { recursive: true })
    await write(target, content)
    return `${await shortPath(ctx.cwd, target)} is written: ${content.length} characters.`
  },
})

export const editFileTool: Tool<EditInput> = defineTool({
  id: 'edit_file',
  description: 'Replaces a text of a file, which must occur exactly once, or everywhere with `all`.',
  input: {
    type: 'object',
    properties: {
      path: PATH,
      find: { ...text('The text as it is in the file.'), minLength: 1 },
      replace: text('What replaces it.'),
      all: { type: 'boolean', description: 'Replaces every occurrence.' },
    },
    required: ['path', 'find', 'replace'],
  },
  approve: true,
  async call({ path, find, replace, all = false }, ctx) {
    const target = await confinedPath(ctx.cwd, path)
    const parts = (await contentOf(target, path)).split(find)
    const occurrences = parts.length - 1
    if (occurrences === 0) throw new Error(`The text does not occur in ${path}.`)
    if (occurrences > 1 && !all) throw new Error(`The text occurs ${occurrences} times in ${path}; name more of it.`)
    await write(target, parts.join(replace))
    return `${path} is changed: ${occurrences === 1 ? 'one replacement' : `${occurrences} replacements`}.`
  },
})

type EditInput = {
  readonly path: string
  readonly find: string
  readonly replace: string
  readonly all?: boolean
}

export const listFilesTool: Tool<{ readonly path?: string; readonly depth?: number }> = defineTool({
  id: 'list_files',
  description: 'Lists the files and folders of a folder; folders end in a slash.',
  input: {
    type: 'object',
    properties: {
      path: text('Path of the folder; default: the working folder.'),
      depth: { ...count('How many levels of folders.'), maximum: MOST_DEPTH },
    },
  },
  async call({ path = '.', depth = 2 }, ctx) {
    const names = await namesIn(await confinedPath(ctx.cwd, path), '', depth)
    const listed = names.slice(0, MOST_ENTRIES)
    const rest = names.length > listed.length ? ['There are more: list a folder of them, or fewer levels.'] : []
    return names.length === 0 ? 'The folder is empty.' : [...listed, ...rest].join('\n')
  },
})

/** One more than are listed, if there are more. Links are named and not followed. */
async function namesIn(folder: string, prefix: string, depth: number): Promise<readonly string[]> {
  const entries = (await readdir(folder, { withFileTypes: true })).sort((a, b) => (a.name < b.name ? -1 : 1))
  const names: string[] = []
  for (const entry of entries) {
    if (names.length > MOST_ENTRIES) break
    const name = `${prefix}${entry.name}`
    names.push(entry.isDirectory() ? `${name}/` : name)
    const isEntered = entry.isDirectory() && depth > 1 && !NOT_ENTERED.has(entry.name)
    if (isEntered) names.push(...(await namesIn(join(folder, entry.name), `${name}/`, depth - 1)))
  }
  return names.slice(0, MOST_ENTRIES + 1)
}

async function contentOf(target: string, path: string): Promise<string> {
  const { size } = await fileStats(target, path)
  if (size > LARGEST_FILE) throw new Error(`${path} is too large: ${size} bytes.`)
  const content = await readFile(target, 'utf8')
  if (content.includes('\0')) throw new Error(`${path} is not a text file.`)
  return content
}

/** A link that has been put there since the path was checked is not followed. */
async function write(target: string, content: string): Promise<void> {
  const { O_WRONLY, O_CREAT, O_TRUNC, O_NOFOLLOW, O_NONBLOCK } = constants
  const file = await open(target, O_WRONLY | O_CREAT | O_TRUNC | O_NOFOLLOW | O_NONBLOCK)
  try {
    await file.writeFile(content)
  } finally {
    await file.close()
  }
}

function bounded(content: string): string {
  if (content.length <= MOST_CHARACTERS) return content
  return `${content.slice(0, MOST_CHARACTERS)}\n[${content.length - MOST_CHARACTERS} more characters: read some lines]`
}
