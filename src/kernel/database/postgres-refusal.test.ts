import assert from 'node:assert/strict'
import { test } from 'node:test'
import { UserError } from '../errors.ts'
import { connectPostgres } from './postgres-connection.ts'
import { databaseSentence, explainRefusal, refusalOf } from './postgres-refusal.ts'

const URL = 'postgres://u:secret@db.example/nonet'

test('a certificate that is not trusted leads to sslrootcert', () => {
  const message = 'self-signed certificate; if the root CA is installed locally, try another flag'
  const cause = Object.assign(new Error(message), { code: 'DEPTH_ZERO_SELF_SIGNED_CERT' })
  assert.equal(
    refusalOf(cause, { url: URL }).message,
    'Cannot use the database db.example/nonet: the certificate of PostgreSQL is not trusted (self-signed certificate); ' +
      'set the file of its certificate authority with sslrootcert= in its URL'
  )
})

test('a file or socket that is missing is named', async () => {
  await assert.rejects(connectPostgres({ url: `${URL}?sslrootcert=/missing.pem` }), {
    name: 'UserError',
    message:
      /ENOENT.*'\/missing\.pem'; correct the file of sslrootcert, sslcert or sslkey in its URL$/
  })
  await assert.rejects(connectPostgres({ url: 'postgres://u@/nonet?host=/missing' }), {
    name: 'UserError',
    message: /ENOENT \/missing.*; start PostgreSQL, or correct the folder of its socket in its URL$/
  })
})

test('a defect of nonet stays an error with its stack', () => {
  const defect = new TypeError('x is undefined')
  assert.equal(explainRefusal(defect, { url: URL }), defect)
  assert.equal(databaseSentence(defect), undefined)
  assert.ok(explainRefusal(new Error('else'), { url: URL }) instanceof UserError)
})
