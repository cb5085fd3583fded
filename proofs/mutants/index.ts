import { logAgain, runAgain } from './again.ts'
import { processes } from './agents.ts'
import { services } from './agents-http.ts'
import { ownAgents } from './agents-own.ts'
import { appActions, appStores } from './app.ts'
import { answerDetails, appAgents } from './app-agents.ts'
import { appKeys, appKeysInBrowser } from './app-keys.ts'
import { appPages } from './app-pages.ts'
import { appRuns, appRunsInBrowser } from './app-runs.ts'
import { approvals } from './approvals.ts'
import { attempts, attemptsInBrowser } from './attempts.ts'
import { bus } from './bus.ts'
import { chat } from './chat.ts'
import { client } from './client.ts'
import { clientsPages } from './clients-pages.ts'
import { command } from './command.ts'
import { compat } from './compat.ts'
import { convoys } from './convoys.ts'
import { coverage } from './coverage.ts'
import { deliver } from './deliver.ts'
import { edge } from './edge.ts'
import { faultsParts, faultsRestart } from './faults-parts.ts'
import { files } from './files.ts'
import { firstMinute, formatsInBrowser } from './first-minute.ts'
import { fold } from './fold.ts'
import { guards } from './guards.ts'
import { healing } from './healing.ts'
import { histories } from './history.ts'
import { ingestAuto } from './ingest-auto.ts'
import { leaks } from './leaks.ts'
import { lens, lensInBrowser, lensIsStored, lensPane } from './lens.ts'
import { loading } from './loading.ts'
import { log } from './log.ts'
import { logRows } from './log-rows.ts'
import { losses } from './losses.ts'
import { memory } from './memory.ts'
import { mount } from './mount.ts'
import type { Stage } from './mutant.ts'
import { nodeDuties } from './node-duties.ts'
import { nodes } from './nodes.ts'
import { nodesFaults } from './nodes-faults.ts'
import { nodesProcesses } from './nodes-processes.ts'
import { balance } from './normalize.ts'
import { packed } from './packed.ts'
import { panes, panesInBrowser } from './panes.ts'
import { formatStages, parse } from './parse.ts'
import { passes } from './passes.ts'
import { postgresLeases, postgresRules } from './postgres.ts'
import { postgresFaults } from './postgres-faults.ts'
import { react } from './react.ts'
import { reactInBrowser } from './react-browser.ts'
import { reactHost, reactHostInBrowser } from './react-host.ts'
import { recover } from './recover.ts'
import { repeats } from './repeats.ts'
import { requests } from './requests.ts'
import { run } from './run.ts'
import { runCommands } from './run-commands.ts'
import { search } from './search.ts'
import { secondTime } from './second-time.ts'
import { sessions } from './sessions.ts'
import { origins, settings } from './settings.ts'
import { show } from './show.ts'
import { source } from './source.ts'
import { spans } from './spans.ts'
import { strangersInCore, strangersInServer } from './strangers.ts'
import { switching } from './switch.ts'
import { tails } from './tails.ts'
import { testkit } from './testkit.ts'
import { threadStreams } from './thread-stream.ts'
import { tickets } from './tickets.ts'
import { timeline, timelineInBrowser } from './timeline.ts'
import { travel, travelInBrowser } from './travel.ts'
import { wireStages } from './wire.ts'
import { work } from './work.ts'

/** Every stage that has planted bugs, in the order of the pipeline. */
export async function allStages(): Promise<readonly Stage[]> {
  return [
    source,
    parse,
    ...(await formatStages()),
    coverage,
    balance,
    approvals,
    passes,
    fold,
    compat,
    work,
    spans,
    timeline,
    timelineInBrowser,
    travel,
    lens,
    secondTime,
    ...(await wireStages()),
    histories,
    loading,
    losses,
    command,
    settings,
    log,
    logRows,
    tails,
    search,
    logAgain,
    nodes,
    bus,
    postgresRules,
    postgresLeases,
    postgresFaults,
    faultsParts,
    faultsRestart,
    nodesFaults,
    healing,
    nodesProcesses,
    run,
    runAgain,
    runCommands,
    recover,
    processes,
    ownAgents,
    services,
    deliver,
    leaks,
    convoys,
    nodeDuties,
    edge,
    guards,
    origins,
    repeats,
    mount,
    chat,
    requests,
    sessions,
    tickets,
    switching,
    ingestAuto,
    show,
    client,
    clientsPages,
    threadStreams,
    react,
    reactInBrowser,
    reactHost,
    reactHostInBrowser,
    appStores,
    appActions,
    appPages,
    appKeys,
    appKeysInBrowser,
    appRuns,
    appRunsInBrowser,
    attempts,
    attemptsInBrowser,
    firstMinute,
    formatsInBrowser,
    appAgents,
    panes,
    lensPane,
    lensIsStored,
    panesInBrowser,
    lensInBrowser,
    travelInBrowser,
    answerDetails,
    strangersInCore,
    strangersInServer,
    memory,
    files,
    testkit,
    packed,
  ]
}
