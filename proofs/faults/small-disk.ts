import { spawnSync } from 'node:child_process'
import { closeSync, existsSync, mkdirSync, openSync, rmSync, writeFileSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import { withFolder } from './server-process.ts'

/** A disk that a trial can fill up and free again. */
export interface SmallDisk {
  /** Where the server keeps its data. */
  readonly data: string
  /** Its kind, for the report. */
  readonly kind: string
  fill(): void
  free(): void
}

const MEGABYTES = 24

/** A server without such a disk behaves as if its disk were full while this file exists. */
export const fullMark = (data: string): string => join(data, 'pretend-full')

/** A file system in memory if we may mount one; otherwise a log that pretends to be full. */
export function withSmallDisk<Result>(act: (disk: SmallDisk) => Promise<Result>): Promise<Result> {
  return withFolder(async (folder) => {
    const disk = join(folder, 'disk')
    mkdirSync(disk)
    const options = ['-t', 'tmpfs', '-o', `size=${MEGABYTES}m,mode=0700`, 'millrace-faults', disk]
    if (spawnSync('mount', options).status !== 0) return act(pretendedDisk(disk))
    try {
      return await act(mountedDisk(disk))
    } finally {
      spawnSync('umount', [disk])
    }
  })
}

function mountedDisk(disk: string): SmallDisk {
  const ballast = join(disk, 'ballast')
  return {
    data: join(disk, 'data'),
    kind: `a file system of ${MEGABYTES} MB`,
    fill: () => writeUntilFull(ballast),
    free: () => rmSync(ballast, { force: true }),
  }
}

function pretendedDisk(disk: string): SmallDisk {
  const mark = fullMark(disk)
  return {
    data: disk,
    kind: 'a log that pretends: no file system can be mounted here',
    fill: () => writeFileSync(mark, ''),
    free: () => existsSync(mark) && rmSync(mark),
  }
}

/** Fills it to the last page: first in large pieces, then in small ones. */
function writeUntilFull(path: string): void {
  const file = openSync(path, 'a', 0o600)
  for (const size of [64 * 1024, 4096]) {
    try {
      for (let written = 0; written < 2 * MEGABYTES * 1024 * 1024; written += size) writeSync(file, Buffer.alloc(size))
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ENOSPC') throw error
    }
  }
  closeSync(file)
}
