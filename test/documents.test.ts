import { existsSync, globSync, readFileSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'

const root = resolve(dirname(fileURLToPath(import.meta.url)), '..')

/** Paths in documents start at the root, or in one of these. */
const STARTS = ['', 'packages/core/src', 'packages/server/src', 'packages/react/src']

const documents = globSync(['*.md', 'docs/**/*.md', 'decisions/*.md', 'packages/*/README.md', 'recorders/README.md'], {
  cwd: root,
}).filter((path) => path !== 'CHANGELOG.md')

/**
 * The files and folders that a document names: paths in backticks with an extension or a slash at the end, and links. The file of
 * settings is the reader's own.
 */
function pathsIn(text: string): readonly string[] {
  const named = [...text.matchAll(/`([\w.-]+(?:\/[\w.-]+)*(?:\.(?:ts|tsx|mjs|json|md)|\/))`/g)]
  const linked = [...text.matchAll(/\]\(([\w./-]+)\)/g)]
  return [...named, ...linked].map(([, path = '']) => path).filter((path) => !/NAME|^millrace\.config\./.test(path))
}

function exists(document: string, path: string): boolean {
  const starts = [...STARTS, dirname(document)]
  if (starts.some((start) => existsSync(join(root, start, path)))) return true
  // A bare file name stands for a file that the sentence has placed already.
  return (
    !path.includes('/') &&
    globSync(`{packages,apps,test,proofs,scripts,bench,recorders,examples}/**/${path}`, {
      cwd: root,
      // Frameworks and programs that are installed for proofs have 100 000 files.
      exclude: (folder) => folder.endsWith('node_modules'),
    }).length > 0
  )
}

describe('the documents', () => {
  it.each(documents)('%s names only files and folders that exist', (document) => {
    const text = readFileSync(join(root, document), 'utf8')
    expect(pathsIn(text).filter((path) => !exists(document, path))).toEqual([])
  })
})
