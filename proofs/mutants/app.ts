import type { Stage } from './mutant.ts'

/** The stores of the app: the list of threads, the router and the open threads. */
export const appStores: Stage = {
  name: 'app stores',
  tests: [
    'apps/web/src',
    'apps/web/test/stores.test.ts',
    'packages/react/src/threads',
    'packages/react/test/thread-list-store.test.ts',
  ],
  mutants: [
    {
      file: 'packages/react/src/threads/thread-list-store.ts',
      find: 'round < shownRound || search',
      replace: 'search',
      promise: 'an older answer does not replace a newer one',
    },
    {
      file: 'packages/react/src/threads/thread-list-store.ts',
      find: ' || search !== current.search\n',
      replace: '\n',
      promise: 'an answer of another search is not shown',
    },
    {
      file: 'packages/react/src/threads/thread-list-store.ts',
      find: '(next.state === undefined && error !== undefined && { error })',
      replace: '(error !== undefined && { error })',
      promise: 'an error goes with the next state',
    },
    {
      file: 'packages/react/src/threads/thread-list-store.ts',
      find: 'if (current.search === search) show({ state',
      replace: 'show({ state',
      promise: 'a late failure of another search is not shown',
    },
    {
      file: 'packages/react/src/threads/thread-list-store.ts',
      find: '    } finally {\n      loadingMore = undefined\n    }',
      replace: '    }',
      promise: 'older threads can be loaded page after page',
    },
    {
      file: 'packages/react/src/threads/thread-list-store.ts',
      find: 'found?.search === search ? found.loaded : undefined',
      replace: 'found?.loaded',
      promise: 'two searches are never mixed',
    },
    {
      file: 'packages/react/src/threads/thread-list-store.ts',
      find: '      feed.stop()\n',
      replace: '',
      promise: 'a list that was stopped asks for nothing',
    },
    {
      file: 'packages/react/src/threads/thread-list-store.ts',
      find: '      if (openOnPage?.threadId !== threadId) return\n',
      replace: '',
      promise: 'only the thread that was left is forgotten',
    },
    {
      file: 'packages/react/src/threads/loaded-threads.ts',
      find: 'next: older.length > 0 ? next : page.next',
      replace: 'next: page.next',
      promise: 'a list that is read again keeps its place',
    },
    {
      file: 'apps/web/src/threads/open-threads.ts',
      find: '    stores.delete(threadId)\n',
      replace: '',
      promise: 'the threads that were opened last are kept',
    },
    {
      file: 'apps/web/src/router.ts',
      find: "mode === 'push' && !isHere",
      replace: "mode === 'push'",
      promise: 'the page that is shown gets no second step',
    },
    {
      file: 'apps/web/src/router.ts',
      find: '        listeners.delete(listener)\n',
      replace: '',
      promise: 'a listener that has left is told nothing',
    },
    {
      file: 'apps/web/src/router.ts',
      find: "  page.addEventListener('popstate', read)\n",
      replace: '',
      promise: 'the page follows the browser back',
    },
  ],
}

/** What one does to the app: writing, searching, importing, renaming and stopping. Built from the copy with its bug. */
export const appActions: Stage = {
  name: 'app actions',
  tests: ['apps/web/test/scenes.test.ts'],
  mutants: [
    {
      file: 'packages/react/src/composer/composer.tsx',
      find: ' || isComposing(event.nativeEvent)',
      replace: '',
      promise: 'Enter that confirms a composed character does not send',
    },
    {
      file: 'packages/react/src/composer/keys.ts',
      find: ' || key.keyCode === COMPOSING',
      replace: '',
      promise: 'the key that ends a composition is no command',
    },
    {
      file: 'packages/react/src/composer/composer.tsx',
      find: "typed === '' ? message : typed",
      replace: 'message',
      promise: 'what was typed meanwhile survives a failed message',
    },
    {
      file: 'packages/react/src/composer/composer.tsx',
      find: '    setTrouble(undefined)\n    try',
      replace: '    try',
      promise: 'an old trouble goes with the next attempt',
    },
    {
      file: 'packages/react/src/composer/composer.tsx',
      find: 'const canSend = !isBlocked && ',
      replace: 'const canSend = ',
      promise: 'a message waits until the one before it has arrived',
    },
    {
      file: 'packages/react/src/composer/stop-button.tsx',
      find: '!isStopping && onStop()',
      replace: 'onStop()',
      promise: 'a stop is asked for once',
    },
    {
      file: 'packages/react/src/composer/stop-button.tsx',
      find: ') focusLost.current?.()',
      replace: ') element.blur()',
      promise: 'the focus of a stop button moves to the composer',
    },
    {
      file: 'apps/web/src/use-drawer.ts',
      find: 'if (before instanceof HTMLElement) before.focus()',
      replace: '',
      promise: 'a drawer gives the focus back',
    },
    {
      file: 'apps/web/src/use-drawer.ts',
      find: 'back: isOpen ? close : undefined',
      replace: '',
      promise: 'Escape closes a drawer',
    },
    {
      file: 'apps/web/src/use-drawer.ts',
      find: 'if (!isNarrow && isWanted) setIsWanted(false)',
      replace: '',
      promise: 'a drawer does not open by itself',
    },
    {
      file: 'apps/web/src/focus.ts',
      find: "activeElement?.closest('[inert]')",
      replace: 'false',
      promise: 'a link of the drawer passes the focus to the page',
    },
    {
      file: 'apps/web/src/recordings/use-window-drop.ts',
      find: '      depth = 0\n      setIsOver',
      replace: '      setIsOver',
      promise: 'the cover goes after the second drag too',
    },
    {
      file: 'apps/web/src/recordings/use-window-drop.ts',
      find: 'latest.current = onFiles\n',
      replace: '',
      promise: 'files go to the newest handler',
    },
    {
      file: 'apps/web/src/status/use-verification.ts',
      find: 'current.current === key && setFound',
      replace: 'setFound',
      promise: 'the result of another run is not shown',
    },
  ],
}
