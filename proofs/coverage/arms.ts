import { readFileSync } from 'node:fs'
import { type Profiler, Session } from 'node:inspector/promises'
import { relative } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('../..', import.meta.url))

/** A branch, or a whole function, that did not run. */
export interface Arm {
  /** From the root of the repository. */
  readonly file: string
  readonly line: number
  readonly functionName: string
  /** Its source, on one line. */
  readonly text: string
}

/**
 * Starts to count. Modules MUST be imported afterwards. V8 counts branches by their position in the source; Node strips
 * types by writing spaces over them, so that the positions are those of the file.
 *
 * The returned function gives the arms of the files below these folders that have not run.
 */
export async function startCounting(): Promise<(folders: readonly string[]) => Promise<readonly Arm[]>> {
  const session = new Session()
  session.connect()
  await session.post('Profiler.enable')
  await session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: true })
  return async (folders) => {
    const { result } = await session.post('Profiler.takePreciseCoverage')
    return result.flatMap((script) => {
      if (!script.url.startsWith('file:')) return []
      const file = relative(root, fileURLToPath(script.url))
      return folders.some((folder) => file.startsWith(folder)) ? armsOf(file, script.functions) : []
    })
  }
}

function armsOf(file: string, functions: readonly Profiler.FunctionCoverage[]): readonly Arm[] {
  const source = readFileSync(`${root}/${file}`, 'utf8')
  const arms = functions.flatMap(({ functionName, ranges }) =>
    ranges
      .filter(({ count }) => count === 0)
      .map(({ startOffset, endOffset }) => ({
        file,
        line: source.slice(0, startOffset).split('\n').length,
        functionName,
        text: source.slice(startOffset, endOffset).replace(/\s+/g, ' ').trim(),
      })),
  )
  // A range of brackets alone is no arm.
  return arms.filter(({ text }) => /\w/.test(text))
}
