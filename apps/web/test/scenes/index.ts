import type { Scenes } from '../stage/stage.tsx'
import { agentsPage } from './agents.tsx'
import { app } from './app.tsx'
import { attachments } from './attachments.tsx'
import { composer } from './composer.tsx'
import { searchField, titleField } from './fields.tsx'
import { keys } from './keys.tsx'
import { rail } from './lists.tsx'
import { copying, link, sheet, theme } from './page-parts.tsx'
import { header, recordings, trouble, unread } from './parts.tsx'
import { queue } from './queue.tsx'
import { importing, windowDrop } from './recordings.tsx'
import { drawer, focusAfterMove, searchKey } from './shell.tsx'
import { start } from './start.tsx'
import { thoughts } from './thoughts.tsx'
import { thread } from './thread.tsx'
import { renaming, threadActions } from './thread-actions.tsx'
import { deepLink, follow, latest, wires } from './thread-view.tsx'
import { truth } from './truth.tsx'
import { verification, verifyButton } from './verification.tsx'

/** Every scene, by what it is about. */
export const scenes: { readonly [group: string]: Scenes } = {
  'the composer': composer,
  'files and deliveries of a message': attachments,
  'messages that wait': queue,
  'the agents': agentsPage,
  'what is true of a run': truth,
  'the title': titleField,
  'the search': searchField,
  'the drawer': drawer,
  'the key for the search': searchKey,
  'the keys of the page': keys,
  'the focus after a move': focusAfterMove,
  'importing recordings': importing,
  'dropping files': windowDrop,
  'a pane over the page': sheet,
  'a link': link,
  'the theme': theme,
  copying: copying,
  thoughts: thoughts,
  'actions of a thread': threadActions,
  'renaming a thread': renaming,
  'starting a thread': start,
  'the app': app,
  'the page of a thread': thread,
  'the rail': rail,
  'following the end': follow,
  'a link to an entry': deepLink,
  'the way back to the end': latest,
  'the wires of a run': wires,
  recordings,
  'the line of what was not understood': unread,
  'the header of a thread': header,
  'the page of a failure': trouble,
  'a verification': verification,
  'the button to verify': verifyButton,
}
