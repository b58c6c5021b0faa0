import assert from 'node:assert/strict'
import { test } from 'node:test'
import { driverUrl, redactUrl, timeoutsOf } from './postgres-url.ts'

test('messages name server and database, not user, password or options', () => {
  const urls: Readonly<Record<string, string>> = {
    'postgres://u:secret@db.example:5433/nonet?sslmode=require': 'db.example:5433/nonet',
    'postgres:///nonet?host=/run/postgresql': '/run/postgresql/nonet',
    'postgres://u:secret@/nonet?host=/run/postgresql': '/run/postgresql/nonet',
    'postgres://u:secret@%2Frun%2Fpostgresql/nonet': '/run/postgresql/nonet',
    'postgres://u:se#cret@host/nonet': 'with an invalid URL'
  }
  for (const [url, text] of Object.entries(urls)) assert.equal(redactUrl(url), text)
})

test('modes that the driver verifies anyway are passed on without its warning', () => {
  const url = 'postgres://host/nonet?sslmode='
  for (const mode of ['prefer', 'require', 'verify-ca', 'verify-full']) {
    assert.equal(driverUrl(`${url}${mode}&x=1`), `${url}verify-full&x=1`)
  }
  for (const kept of ['disable', 'no-verify', 'require&uselibpqcompat=true']) {
    assert.equal(driverUrl(`${url}${kept}`), `${url}${kept}`)
  }
  assert.throws(
    () => driverUrl(`${url}allow`),
    /^UserError: .*sslmode=allow is unknown; use disable/
  )
})

test('time-outs of the URL replace the defaults', () => {
  const url = 'postgres://host/nonet'
  assert.deepEqual(timeoutsOf(url), { connectMs: 5_000, readMs: 10_000, writeMs: 30_000 })
  assert.deepEqual(timeoutsOf(`${url}?connect_timeout=2&statement_timeout=700`), {
    connectMs: 2_000,
    readMs: 700,
    writeMs: 700
  })
})
