import { Composer, type ComposerProps } from '@millrace/react'
import { useCallback } from 'react'
import { useApp } from '../app-context.ts'
import { troubleText } from '../trouble.ts'

type AppComposerProps = Omit<ComposerProps, 'agents' | 'upload' | 'describe'>

/** The composer with the agents of this server, which also stores the files of a message. */
export function AppComposer(props: AppComposerProps) {
  const { agents = [], api } = useApp()
  const upload = useCallback(
    async (body: File) => {
      const mediaType = body.type || 'application/octet-stream'
      const stored = await api.uploadFile({ body, mediaType, filename: body.name })
      return { id: stored.id, mediaType: stored.mediaType, filename: body.name }
    },
    [api],
  )
  return <Composer {...props} agents={agents} upload={upload} describe={troubleText} />
}
