import { DatabaseSync } from 'node:sqlite'
import { describe, expect, it } from 'vitest'
import { LogError } from '../errors.ts'
import { type Answer, createTransaction, type Perform } from './batch.ts'

/** Each request writes its own name; some then fail. */
function bench() {
  const database = new DatabaseSync(':memory:')
  database.exec('CREATE TABLE names (name TEXT); CREATE TABLE parents (id INTEGER PRIMARY KEY)')
  database.exec('CREATE TABLE children (parent INTEGER REFERENCES parents (id) DEFERRABLE INITIALLY DEFERRED)')
  const add = database.prepare('INSERT INTO names VALUES (?)')
  const orphan = database.prepare('INSERT INTO children VALUES (1)')
  const perform: Perform = ({ name }) => {
    if (name === 'refused') throw new LogError('run-closed', 'r')
    add.run(name)
    if (name === 'broken') throw new TypeError('broke off')
    // Only the commit detects that the parent is missing.
    if (name === 'orphan') orphan.run()
    return name
  }
  const transaction = createTransaction(database)
  return {
    database,
    answer: (...names: string[]) =>
      transaction.answer(
        names.map((name) => ({ name, values: [] })),
        perform,
      ),
    names: () =>
      database
        .prepare('SELECT name FROM names')
        .all()
        .map(({ name }) => name),
  }
}

const kindOf = (answer: Answer) => Object.keys(answer)[0]

describe('a batch of requests', () => {
  it('commits all requests except the refused ones', () => {
    const { answer, names } = bench()
    expect(answer('a', 'refused', 'b').map(kindOf)).toEqual(['value', 'refused', 'value'])
    expect(names()).toEqual(['a', 'b'])
  })

  it('rolls back a request that failed half-way, and no other', () => {
    const { answer, names } = bench()
    expect(answer('a', 'broken', 'refused', 'b').map(kindOf)).toEqual(['value', 'failed', 'refused', 'value'])
    expect(names()).toEqual(['a', 'b'])
  })

  it('acknowledges nothing that was not committed', () => {
    const { answer, names } = bench()
    expect(answer('a', 'orphan', 'b').map(kindOf)).toEqual(['value', 'failed', 'value'])
    expect(names()).toEqual(['a', 'b'])
    expect(answer('orphan').map(kindOf)).toEqual(['failed'])
  })

  it('fails as a whole if it cannot begin', () => {
    const { answer, names, database } = bench()
    database.exec('BEGIN')
    expect(answer('a', 'b').map(kindOf)).toEqual(['failed', 'failed'])
    database.exec('COMMIT')
    expect(names()).toEqual([])
  })
})
