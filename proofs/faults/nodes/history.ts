import { sessionAt } from '@millrace/server/log/postgres/connections'
import type { Session } from '@millrace/server/log/postgres/session'

/** What the database itself saw of the runs: a trigger notes every change of an owner, an epoch, a state and a position. */
export interface History extends AsyncDisposable {
  /** The time of the database, in ms. */
  clock(): Promise<number>
  changesOf(runIds: readonly string[]): Promise<readonly Change[]>
  /** What was wrong with leases since then. */
  leaseProblems(since: number): Promise<readonly string[]>
  /** How long the runs of nodes that ended after `since` had to wait until another decided about them. */
  waits(runIds: readonly string[], since: number): Promise<readonly Wait[]>
}

/** In ms, from the moment that a node was lost. */
export interface Wait {
  /** Until somebody buried the node. */
  readonly buried: number
  /** Until somebody decided about the run. */
  readonly decided: number
}

/** One statement's change of one run. */
export interface Change {
  readonly run: string
  /** The name of the connection that made it. */
  readonly writer: string
  /** The name of the connections of whoever owned the run until then. */
  readonly owner: string | null
  /** Whether that owner's lease had ended. */
  readonly has_ended: boolean
  readonly old_epoch: number | null
  readonly epoch: number
  readonly old_seq: number | null
  readonly seq: number
  readonly old_state: string | null
  readonly state: string
  readonly at: number
}

/** A renewal that came in time may be performed a little later. */
const IS_LATE = `OLD.until < clock_timestamp() - interval '100 ms'`

const INSTALL = `
  CREATE SCHEMA rig;
  CREATE TABLE rig.changes (n bigint GENERATED ALWAYS AS IDENTITY, run text, writer text, owner text, new_owner text,
    old_epoch bigint, epoch bigint, old_seq bigint, seq bigint, old_state text, state text,
    at timestamptz NOT NULL DEFAULT clock_timestamp());
  CREATE INDEX ON rig.changes (run, n);
  CREATE TABLE rig.ends (node text, problem text, at timestamptz NOT NULL DEFAULT clock_timestamp());
  CREATE FUNCTION rig.note_run() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
    INSERT INTO rig.changes (run, writer, owner, new_owner, old_epoch, epoch, old_seq, seq, old_state, state)
      VALUES (NEW.id, current_setting('application_name'), OLD.owner, NEW.owner, OLD.epoch, NEW.epoch, OLD.seq, NEW.seq,
        OLD.state, NEW.state);
    RETURN NULL;
  END $$;
  CREATE FUNCTION rig.note_node() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
    INSERT INTO rig.ends (node, problem) VALUES (NEW.id, CASE WHEN OLD.ended THEN 'an ended node was revived'
      WHEN NEW.until > clock_timestamp() AND NEW.session <> current_setting('application_name')
        THEN 'a node was buried before its time'
      WHEN NEW.until > OLD.until AND ${IS_LATE} THEN 'a lease was renewed after its end' END);
    RETURN NULL;
  END $$;
  CREATE TRIGGER note_new AFTER INSERT ON millrace.runs FOR EACH ROW EXECUTE FUNCTION rig.note_run();
  CREATE TRIGGER note_change AFTER UPDATE ON millrace.runs FOR EACH ROW
    WHEN ((OLD.owner, OLD.epoch, OLD.seq, OLD.state) IS DISTINCT FROM (NEW.owner, NEW.epoch, NEW.seq, NEW.state))
    EXECUTE FUNCTION rig.note_run();
  CREATE TRIGGER note_end AFTER UPDATE ON millrace.nodes FOR EACH ROW
    WHEN (NEW.ended <> OLD.ended OR (NEW.until > OLD.until AND (OLD.ended OR ${IS_LATE}))) EXECUTE FUNCTION rig.note_node()`

const MS = (time: string) => `(extract(epoch FROM ${time}) * 1000)::float8`

const CLOCK = { name: 'rig-clock', text: `SELECT ${MS('clock_timestamp()')} AS now` }
const CHANGES = {
  name: 'rig-changes',
  text: `SELECT c.*, ${MS('c.at')} AS at, (SELECT session FROM nodes n WHERE n.id = c.owner) AS owner,
      EXISTS (SELECT FROM rig.ends e WHERE e.node = c.owner AND e.at <= c.at) AS has_ended
    FROM rig.changes c WHERE c.run = ANY ($1::text[]) ORDER BY c.n`,
}
const LEASES = {
  name: 'rig-leases',
  text: 'SELECT problem FROM rig.ends WHERE problem IS NOT NULL AND at > to_timestamp($1 / 1000.0)',
}
/** The owner at that time is the one of the last change before it. */
const WAITS = {
  name: 'rig-waits',
  text: `WITH owned AS (
      SELECT DISTINCT ON (run) run, new_owner, epoch FROM rig.changes
      WHERE run = ANY ($1::text[]) AND at <= to_timestamp($2 / 1000.0) ORDER BY run, n DESC),
    left_open AS (SELECT o.*, e.at AS buried FROM owned o JOIN rig.ends e ON e.node = o.new_owner WHERE e.at > to_timestamp($2 / 1000.0))
    SELECT ${MS('min(l.buried)')} - $2 AS buried, ${MS('min(c.at)')} - $2 AS decided FROM left_open l JOIN rig.changes c ON c.run = l.run
      AND c.at > to_timestamp($2 / 1000.0) AND (c.epoch > l.epoch OR c.state = 'ended') GROUP BY l.run`,
}

/** Watches a database whose tables exist. */
export async function watchHistory(url: string): Promise<History> {
  const session: Session = await sessionAt(url, 'rig')
  await session.query({ name: '', text: `DO $install$ BEGIN ${INSTALL}; END $install$` })
  return {
    async clock() {
      const [row] = await session.query<{ now: number }>(CLOCK)
      return row?.now ?? Number.NaN
    },
    changesOf: (runIds) => session.query<Change>(CHANGES, [runIds]),
    async leaseProblems(since) {
      return (await session.query<{ problem: string }>(LEASES, [since])).map(({ problem }) => problem)
    },
    waits: (runIds, since) => session.query<Wait>(WAITS, [runIds, since]),
    [Symbol.asyncDispose]: () => session.close(),
  }
}

/** Only the owner writes, in its own epoch; nothing goes back, and nothing comes after the end. */
export function changeProblems(changes: readonly Change[]): readonly string[] {
  return changes.flatMap((change) => {
    const { run, writer, owner, has_ended, old_epoch, epoch, old_seq, seq, old_state, state } = change
    if (old_epoch === null || old_seq === null) return []
    const isTaken = epoch !== old_epoch
    return [
      ...(seq !== old_seq && writer !== owner
        ? [
            `${run}: ${writer} wrote ${old_seq} to ${seq} in epoch ${epoch}, ${old_state}, and ${owner ?? 'nobody'} owned the run`,
          ]
        : []),
      ...(seq < old_seq || epoch < old_epoch
        ? [`${run}: seq ${old_seq} to ${seq}, epoch ${old_epoch} to ${epoch}`]
        : []),
      ...(isTaken && (epoch !== old_epoch + 1 || seq !== old_seq) ? [`${run}: taken and written at once`] : []),
      ...(isTaken && owner !== null && !has_ended ? [`${run}: was taken from a node that had not ended`] : []),
      ...(old_state === 'ended' ? [`${run}: changed to ${state} after its end`] : []),
    ]
  })
}
