import type { Stage } from './mutant.ts'

/** What a person does with agents: the messages that wait, files, the page of agents, answers, and what follows a run. */
export const appAgents: Stage = {
  name: 'app agents',
  tests: ['apps/web/test/scenes.test.ts', 'packages/react/src/threads'],
  mutants: [
    {
      file: 'apps/web/src/queue/pending-messages.ts',
      find: "    if (note === 'taken' || (note === 'dropped' && state !== 'dropped')) return []\n",
      replace: '',
      promise: 'what the agent has taken does not wait any longer',
    },
    {
      file: 'apps/web/src/queue/pending-messages.ts',
      find: "    if (state === 'taken' || state === 'taken-back') return []\n",
      replace: "    if (state === 'taken') return []\n",
      promise: 'what was taken back is not shown',
    },
    {
      file: 'apps/web/src/queue/use-run-messages.ts',
      find: '  }, [api, runId, notes, isWanted])',
      replace: '  }, [api, runId, isWanted])',
      promise: 'the list is read again when an entry names another message',
    },
    {
      file: 'apps/web/src/queue/use-run-messages.ts',
      find: " && run.outcome !== 'success'",
      replace: '',
      promise: 'a run that ended with success is not asked for dropped messages',
    },
    {
      file: 'apps/web/src/queue/use-run-messages.ts',
      find: '        setSent((before) => before.filter((each) => each.messageId !== messageId))\n        throw error',
      replace: '        throw error',
      promise: 'a refused message does not stay above the composer',
    },
    {
      file: 'apps/web/src/queue/message-queue.tsx',
      find: '    if (earlier === undefined) return\n',
      replace:
        '    if (earlier === undefined) setAnnouncement(pending[0] ? faceOf(pending[0]).label : "")\n    if (earlier === undefined) return\n',
      promise: 'nothing is announced that was there when the page was opened',
    },
    {
      file: 'apps/web/src/queue/message-queue.tsx',
      find: '    focusMain()\n',
      replace: '',
      promise: 'the focus stays in the page when a message is taken back',
    },
    {
      file: 'packages/react/src/composer/draft.ts',
      find: '  return isOther ? other : preferred',
      replace: '  return preferred',
      promise: 'Ctrl and Enter does the other',
    },
    {
      file: 'packages/react/src/composer/draft.ts',
      find: "  if (!live.canSteer) return 'next'\n",
      replace: '',
      promise: 'an agent that cannot be steered gets the message next',
    },
    {
      file: 'packages/react/src/composer/composer.tsx',
      find: '!isBlocked && isUploaded && hasContent',
      replace: '!isBlocked && hasContent',
      promise: 'a message waits for its files',
    },
    {
      file: 'packages/react/src/composer/composer.tsx',
      find: '      putFilesBack()\n',
      replace: '',
      promise: 'the files of a message that was not sent come back',
    },
    {
      file: 'packages/react/src/composer/use-attachments.ts',
      find: 'files.filter(({ size }) => size <= MOST_BYTES)',
      replace: 'files.filter(({ size }) => size < MOST_BYTES)',
      promise: 'a file of exactly the limit is taken',
    },
    {
      file: 'packages/react/src/composer/use-attachments.ts',
      find: 'MOST_FILES - all.length',
      replace: 'MOST_FILES',
      promise: 'files that are there already count',
    },
    {
      file: 'apps/web/src/composer/agent-choices.ts',
      find: '    storeChoice(threadId, agent)\n',
      replace: '',
      promise: 'a thread keeps its agent after a reload',
    },
    {
      file: 'apps/web/src/composer/agent-choices.ts',
      find: 'find(([id]) => id === threadId)?.[1]',
      replace: 'at(-1)?.[1]',
      promise: 'the choice belongs to one thread',
    },
    {
      file: 'apps/web/src/agents/agent-words.ts',
      find: 'agents: [...available, ...others]',
      replace: 'agents: members',
      promise: 'agents that can run come first',
    },
    {
      file: 'apps/web/src/agents/agent-words.ts',
      find: 'isCode && /\\S\\s+\\S/.test(text)',
      replace: 'isCode',
      promise: 'a name alone is no command line',
    },
    {
      file: 'apps/web/src/agents/use-check.ts',
      find: "    if (checking.state === 'checking') return\n",
      replace: '',
      promise: 'one check at a time',
    },
    {
      file: 'apps/web/src/thread/thread-page.tsx',
      find: 'continueRun(lastAgent.name)',
      replace: 'continueRun(agent)',
      promise: 'a run is continued by its own agent',
    },
    {
      file: 'apps/web/src/details/run-facts.ts',
      find: 'words.map(quoted).join',
      replace: 'words.join',
      promise: 'a copied command line means the same',
    },
    {
      file: 'apps/web/src/details/use-stderr.ts',
      find: 'if (runId === undefined) return\n    let',
      replace: 'let',
      promise: 'a run without a program is not asked for what it printed',
    },
  ],
}

/** The card of a question, for answers that are more than yes and no. */
export const answerDetails: Stage = {
  name: 'answer details',
  tests: ['packages/react/src/tools/editable.test.ts', 'packages/react/test/answer-details-in-browser.test.ts'],
  mutants: [
    {
      file: 'packages/react/src/segments/approval.tsx',
      find: "choices.length === 0 && mode === 'asking' ? actByKey",
      replace: 'choices.length === 0 ? actByKey',
      promise: 'no key approves the call as it was while its input is changed',
    },
    {
      file: 'packages/react/src/segments/approval.tsx',
      find: 'const remembers = rememberedFor === approvalId',
      replace: 'const remembers = rememberedFor !== undefined',
      promise: 'an approval for the session belongs to one question',
    },
    {
      file: 'packages/react/src/segments/approval.tsx',
      find: ' && offersSession(approval.request)',
      replace: '',
      promise: 'an approval for the session is offered only if the agent offers it',
    },
    {
      file: 'packages/react/src/segments/approval.tsx',
      find: ' && answerOptions.canEdit === true',
      replace: '',
      promise: 'a host that passes on no changed input offers no change',
    },
    {
      file: 'packages/react/src/segments/approval-forms.tsx',
      find: 'approve(text === editable.text ? undefined : found.input)',
      replace: 'approve(found.input)',
      promise: 'an unchanged input is approved as it is',
    },
    {
      file: 'packages/react/src/tools/editable.ts',
      find: '{ input: { ...input, [key]: changed } }',
      replace: '{ input: { [key]: changed } }',
      promise: 'a changed command keeps the rest of its input',
    },
    {
      file: 'packages/react/src/tools/editable.ts',
      find: 'input === undefined || hasOptions(approval?.request)',
      replace: 'input === undefined',
      promise: 'an agent that takes only its own options gets no changed input',
    },
    {
      file: 'apps/web/src/agents/agent-words.ts',
      find: 'return trouble?.kind ?? (',
      replace: 'return (',
      promise: 'an agent whose key is missing is not shown like one that is ready',
    },
    {
      file: 'apps/web/src/agents/agent-words.ts',
      find: 'login === undefined\n',
      replace: 'login !== undefined\n',
      promise: 'the second way to a key is the login of the program',
    },
    {
      file: 'apps/web/src/start/start-page.tsx',
      find: 'demo !== undefined && agent === demo &&',
      replace: 'demo !== undefined &&',
      promise: 'a button does not start the demo while another agent is chosen',
    },
    {
      file: 'packages/react/src/threads/summary.ts',
      find: 'return title ?? (format',
      replace: 'return (format',
      promise: 'a row names the agent that was picked',
    },
  ],
}
