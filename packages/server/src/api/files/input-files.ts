import { ApiError } from '@millrace/core/api/api-error'
import type { RunInput } from '@millrace/core/api/api-types'

import type { Files } from './files.ts'

type InputFile = NonNullable<RunInput['files']>[number]

/** The files that an input names, as they were stored. Throws 400 for one that is not there. */
export function filesOf(files: Files, named: readonly { readonly id: string }[]): Promise<readonly InputFile[]> {
  return Promise.all(
    named.map(async ({ id }) => {
      const found = await files.find(id)
      if (found === undefined) throw new ApiError(400, 'unknown-file', `There is no file "${id}".`)
      const { mediaType, filename } = found
      return filename === undefined ? { id, mediaType } : { id, mediaType, filename }
    }),
  )
}
