import assert from 'node:assert/strict'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { lockDatabase } from './lock.ts'
import { connectForReading, connectSqlite } from './sqlite-connection.ts'
import { describeFileError, translateSqliteError } from './sqlite-errors.ts'

const folder = mkdtempSync(join(tmpdir(), 'nonet-errors-'))
after(() => rmSync(folder, { recursive: true }))
const file = join(folder, 'a.sqlite')

/** As the driver throws it. */
function driverError(errcode: number, message: string): Error {
  return Object.assign(new Error(message), { code: 'ERR_SQLITE_ERROR', errcode })
}

function codeOf(error: unknown, path = file): unknown {
  return (translateSqliteError(error, path) as { code?: string }).code
}

test('a write to a file that cannot be written', () => {
  connectSqlite(file, { durable: false }).close()
  const reader = connectForReading(file)
  try {
    reader.raw.exec('create table a (b)')
    assert.fail('it was written')
  } catch (error) {
    assert.equal(codeOf(error), 'STORAGE_UNWRITABLE')
    assert.match(
      describeFileError(file, error) ?? '',
      /^Cannot use .*a\.sqlite: attempt to write a readonly database; let this user read and write it/
    )
  } finally {
    reader.close()
  }
})

test('each kind of error of a file', () => {
  const kinds: [number, string, string][] = [
    [11, 'database disk image is malformed', 'STORAGE_DAMAGED'],
    [26, 'file is not a database', 'STORAGE_DAMAGED'],
    [13, 'database or disk is full', 'STORAGE_FULL'],
    [778, 'disk I/O error', 'STORAGE_FULL'],
    [4874, 'disk I/O error', 'STORAGE_FULL'],
    [266, 'disk I/O error', 'STORAGE_UNAVAILABLE'],
    [5, 'database is locked', 'STORAGE_UNAVAILABLE']
  ]
  for (const [errcode, message, expected] of kinds) {
    assert.equal(codeOf(driverError(errcode, message)), expected, `${errcode}`)
  }
})

test('a write error in a folder that cannot be written is no full disk', () => {
  const error = driverError(778, 'disk I/O error')
  assert.equal(codeOf(error, join(folder, 'missing', 'a.sqlite')), 'STORAGE_UNWRITABLE')
  assert.match(
    describeFileError('/missing/a.sqlite', error) ?? '',
    /let this user read and write it/
  )
})

test('other errors stay as they are', () => {
  const error = driverError(1, 'no such table: a')
  assert.equal(translateSqliteError(error, file), error)
  assert.equal(describeFileError(file, error), undefined)
})

test('a damaged lock file may be deleted', () => {
  const other = join(folder, 'b.sqlite')
  writeFileSync(`${other}.lock`, 'not a database '.repeat(1_000))
  const message = `${other}.lock is damaged: delete it, it contains no data`
  assert.throws(() => lockDatabase(other), { name: 'UserError', message })
  rmSync(`${other}.lock`)
  lockDatabase(other).release()
})
