import type { Stage } from './mutant.ts'

const folder = 'packages/core/src/fold/spans'

/** What the time of a run was for. */
export const spans: Stage = {
  name: 'spans',
  tests: [folder, 'test/laws-spans.test.ts'],
  timeout: 300_000,
  mutants: [
    {
      file: `${folder}/model-calls.ts`,
      find: "'first-token', Math.min(idleSince, run.now)",
      replace: "'first-token', run.now",
      promise: 'a model call begins when the model could be asked',
    },
    {
      file: `${folder}/model-calls.ts`,
      find: 'hasOutput ? agent.wroteAt : run.now',
      replace: 'run.now',
      promise: 'a model call ends with what it wrote last',
    },
    {
      file: `${folder}/model-calls.ts`,
      find: 'if (call === undefined || agent.writing.size > 0) return',
      replace: 'if (call === undefined) return',
      promise: 'a model call goes on while the model writes',
    },
    {
      file: `${folder}/model-calls.ts`,
      find: '    agent.countedCall.counts.delete(agent.step)\n',
      replace: '',
      promise: 'counts that come again are counted once',
    },
    {
      file: `${folder}/model-calls.ts`,
      find: '  run.usage.nextStep(agent.agentId)\n',
      replace: '',
      promise: 'the usage of the run is that of its fold',
    },
    {
      file: `${folder}/reduce-calls.ts`,
      find: "run.subagents.get(tool.fields.agentId ?? '') !== tool",
      replace: 'true',
      promise: 'a subagent may work on after its call has returned',
    },
    {
      file: `${folder}/reduce-calls.ts`,
      find: '  tool.fields.readyAt = run.now\n',
      replace: '',
      promise: 'a call can begin when its input is complete',
    },
    {
      file: `${folder}/reduce-model.ts`,
      find: 'if (wasWriting && !interrupted) agent.wroteAt = run.now',
      replace: 'if (wasWriting) agent.wroteAt = run.now',
      promise: 'a block that the reader ended says nothing about the model',
    },
    {
      file: `${folder}/reduce-model.ts`,
      find: '  limitTimes(run, Math.max(run.messagesEndedAt, run.startedAt ?? run.at, run.at))\n',
      replace: '',
      promise: 'the run ends when its fold does',
    },
    {
      file: `${folder}/span-state.ts`,
      find: '    limitSpan(draft, latest)\n',
      replace: '',
      promise: 'nothing is later than the end of the run',
    },
    {
      file: `${folder}/span-draft.ts`,
      find: 'const to = Math.min(end, beginnings[index + 1]?.from ?? end)',
      replace: 'const to = end',
      promise: 'phases adjoin',
    },
    {
      file: `${folder}/spans.ts`,
      find: '  const shapes = before.slice()\n',
      replace: '  const shapes = before as Span[]\n',
      promise: 'a snapshot never changes',
    },
    {
      file: `${folder}/spans.ts`,
      find: '  for (const { position } of open) changed.add(position)\n',
      replace: '',
      promise: 'what is open reaches as far as the last entry',
    },
    {
      file: `${folder}/critical-path.ts`,
      find: 'if (to < at) backwards.push({ from: to, to: at })',
      replace: '',
      promise: 'the path has no gap',
    },
    {
      file: `${folder}/critical-path.ts`,
      find: 'if (asking !== undefined && asking.from < at) return asking',
      replace: '',
      promise: 'a call has waited for the model call that asked for it',
    },
    {
      file: `${folder}/critical-path.ts`,
      find: 'latestStarts[index] = isOn ? from : latestEnd - (to - from)',
      replace: 'latestStarts[index] = from',
      promise: 'the slack of what follows is a slack of what was before it',
    },
    {
      file: `${folder}/time-sums.ts`,
      find: 'kindsOfPhases[phase.kind] ?? kindsOfSpans[span.kind]',
      replace: 'kindsOfSpans[span.kind]',
      promise: 'the wait for a person is none of the call',
    },
    {
      file: `${folder}/span-draft.ts`,
      find: 'since < at ? since : fields.startedAt',
      replace: 'since',
      promise: 'what came all at once was written since the model was asked',
    },
    {
      file: `${folder}/span-draft.ts`,
      find: 'writing.to = Math.min(writing.to, latest)',
      replace: 'writing.to = writing.to',
      promise: 'nothing was written after the run',
    },
  ],
}
