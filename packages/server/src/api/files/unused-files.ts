import type { Log } from '../../log/log.ts'
import type { Files } from './files.ts'

/** Removes the files of deleted threads. What cannot be removed now stays listed, and is tried again. */
export async function removeUnusedFiles(log: Log, files: Files): Promise<void> {
  const unused = await log.unusedFiles()
  if (unused.length === 0) return
  for (const id of unused) await files.remove(id)
  await log.forgetFiles(unused)
}
