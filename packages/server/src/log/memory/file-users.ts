/** Which threads name which files, for the in-memory log. */
export interface FileUsers {
  add(threadId: string, fileIds: readonly string[]): void
  /** Files that no other thread names become unused. */
  removeThread(threadId: string): void
  unused(): readonly string[]
  forget(fileIds: readonly string[]): void
}

export function createFileUsers(): FileUsers {
  const users = new Map<string, Set<string>>()
  const unused = new Set<string>()
  return {
    add(threadId, fileIds) {
      for (const id of fileIds) {
        users.set(id, (users.get(id) ?? new Set()).add(threadId))
        unused.delete(id)
      }
    },
    removeThread(threadId) {
      for (const [id, threads] of users) {
        if (!threads.delete(threadId) || threads.size > 0) continue
        users.delete(id)
        unused.add(id)
      }
    },
    unused: () => [...unused].toSorted(),
    forget(fileIds) {
      for (const id of fileIds) unused.delete(id)
    },
  }
}
