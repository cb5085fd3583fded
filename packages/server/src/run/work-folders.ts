import { createHash } from 'node:crypto'
import { lstat, mkdir, stat } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { AgentFailure } from '@millrace/core/agent'

/** Where agents work. */
export interface WorkFolders {
  /** What `project` stands for. */
  readonly project: string
  /** The folder that an agent's `cwd` stands for. Throws an `AgentFailure` if it is not there. */
  folderFor(cwd: string | undefined, threadId: string): Promise<string>
  /** Whether the folder is still there. */
  has(folder: string): Promise<boolean>
}

export interface FolderOptions {
  /** What `project` stands for: absolute, and there. */
  readonly project: string
  /** Holds a folder for each thread. */
  readonly threads: string
}

export function createWorkFolders({ project, threads }: FolderOptions): WorkFolders {
  return {
    project,
    async folderFor(cwd = 'project', threadId) {
      if (cwd === 'project') return project
      if (cwd === 'thread') return threadFolder(threads, threadId)
      const folder = resolve(project, cwd)
      if (!(await isFolder(folder))) throw new AgentFailure('no-folder', `There is no folder ${folder} to work in.`)
      return folder
    },
    has: isFolder,
  }
}

const isFolder = (path: string) =>
  stat(path).then(
    (found) => found.isDirectory(),
    () => false,
  )

/** Creates the folder of a thread. Throws an `AgentFailure` if an agent has put something else there, such as a link. */
export async function threadFolder(threads: string, threadId: string): Promise<string> {
  const folder = resolve(join(threads, folderName(threadId)))
  await mkdir(folder, { recursive: true, mode: 0o700 }).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'EEXIST') throw error
  })
  if ((await lstat(folder)).isDirectory()) return folder
  throw new AgentFailure('no-folder', `${folder} is not a folder any more; the agent cannot work there.`)
}

/** A client may choose the id: one that is not plainly a name becomes its hash. */
const folderName = (threadId: string) =>
  /^[\w][\w-]{0,99}$/.test(threadId) ? threadId : createHash('sha256').update(threadId).digest('hex')
